// The order in which requests of different warps reach the caches.
//
// Warps are run one after the other here, but on a GPU those of all blocks that fit on it run at
// the same time.  So the requests of as many blocks are kept, a wave of them, and reach the caches
// in turns: one of each warp after the other.  Warps wait for those of their block at barriers.
//
// The blocks of a wave are dealt out to the multiprocessors one by one.  A request goes to the L1 cache of
// the block's multiprocessor, and what that does not have, to L2.
#pragma once

#include "counters.h"
#include "request.h"

namespace cudasim {

struct WaveShape {
  int device;
  unsigned long long blocks;  // that run at the same time
  unsigned warps_per_block;
  unsigned long long l1_bytes;  // of each multiprocessor
};

void begin_waves(const WaveShape &shape);
void begin_block_in_wave();
void add_barrier_to_wave();
void end_waves();

// Where a request's sectors are counted as they reach L2 or not, and what they move over the memory bus.
// Both stay where they are.
struct WaveCounts {
  Traffic *traffic;
  Counters *counters;
};

// Atomic operations, stores, and requests `past_l1` are not served by L1.
void add_to_wave(unsigned warp, const TouchedSectors &touched, Access access, bool past_l1,
                 const WaveCounts &counts);

}  // namespace cudasim
