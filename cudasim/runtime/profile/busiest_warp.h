// The warp that the others of its block wait for.
//
// Between two barriers a block takes as long as the warp that does most. What that warp does is counted
// besides what all do, interval by interval: a sum that one warp adds up while the others wait is not the
// work of an average warp. A block without barriers is one interval, because its place on the
// multiprocessor is free when its last warp ends.
#pragma once

#include "block.h"
#include "counters.h"

namespace cudasim {

// How often something happens that warps do: a step from block to block, or an access.
struct WarpCount {
  Count work = 0;     // that it is each time
  Count all = 0;      // times
  Count busiest = 0;  // by the busiest warps
  Count of_warp[max_block_threads / warp_lanes] = {};  // since the last barrier
};

// Counts what a warp of the block that runs does. The count stays where it is.
void count_of_warp(unsigned warp, WarpCount &count);

// The warps of the block that runs have met at a barrier, or the block has ended.
void end_interval();

}  // namespace cudasim
