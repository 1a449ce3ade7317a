// Check and profile mode run one block after the other, so that every run tells the same.

#include "workers.h"

#include "block.h"

namespace cudasim {

void run_blocks(const Launch &launch, unsigned long long blocks) {
  for (unsigned long long index = 0; index < blocks; ++index) run_block(launch, index);
}

}  // namespace cudasim
