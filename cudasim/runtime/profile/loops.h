// The loops of a kernel, as far as warps executed them.
#pragma once

#include "block_code.h"
#include "kernel_profile.h"
#include "source_line.h"

namespace cudasim {

// How often warps, or their parts, came to a loop, and how many iterations they made.
struct LoopCount {
  unsigned condition;  // an instruction of the line that decides whether to go on
  Count entries, iterations;
  std::vector<unsigned> body;  // an instruction of each line in it, if no other loop is
};

// `lines` has the lines of all code addresses of the blocks.
std::vector<LoopCount> count_loops(const KernelProfile &kernel, const BlockCodes &blocks,
                                   const std::map<unsigned, SourceLine> &lines);

}  // namespace cudasim
