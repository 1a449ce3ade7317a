// Check mode runs one block after the other, so that a finding is the same in every run.

#include "workers.h"

#include "block.h"

namespace cudasim {

void run_blocks(const Launch &launch, unsigned long long blocks) {
  for (unsigned long long index = 0; index < blocks; ++index) run_block(launch, index);
}

}  // namespace cudasim
