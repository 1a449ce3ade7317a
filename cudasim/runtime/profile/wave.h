// The order in which requests of different warps reach the cache.
//
// Warps are run one after the other here, but on a GPU those of all blocks that fit on it run at
// the same time.  So the requests of as many blocks are kept, a wave of them, and reach the cache
// in turns: one of each warp after the other.  Warps wait for those of their block at barriers.
#pragma once

#include "counters.h"
#include "request.h"

namespace cudasim {

void begin_waves(unsigned blocks_in_wave, unsigned warps_in_block);
void begin_block_in_wave();
void add_barrier_to_wave();
void end_waves();

// `counters` are those of the instruction, and stay where they are.
void add_to_wave(unsigned warp, const TouchedSectors &touched, Access access, Counters &counters);

}  // namespace cudasim
