// All threads of a block must wait at the same __syncthreads.
#pragma once

namespace cudasim {

struct Block;

void check_barrier(const Block &block);

}  // namespace cudasim
