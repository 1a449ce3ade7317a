// Check and profile mode run one block after the other, so that every run tells the same.

#include "workers.h"

#include <pthread.h>

#include "block.h"
#include "turn.h"

namespace cudasim {

static pthread_mutex_t turn_mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

Turn::Turn() { pthread_mutex_lock(&turn_mutex); }
Turn::~Turn() { pthread_mutex_unlock(&turn_mutex); }

void run_blocks(const Launch &launch, unsigned long long blocks) {
  for (unsigned long long index = 0; index < blocks; ++index) run_block(launch, index);
}

}  // namespace cudasim
