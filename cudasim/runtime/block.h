// One thread block in execution on one operating system thread.
//
// A fiber runs CUDA threads one after the other until one has to wait; then the next fiber
// goes on with the threads that have not started.  When nobody can run, everybody waits at
// the barrier, and the barrier opens.
#pragma once

#include "fiber_queue.h"

namespace cudasim {

constexpr unsigned max_block_threads = 1024;
constexpr unsigned warp_lanes = 32;

// The lanes that stand in a rendezvous.
struct Warp {
  unsigned arrived = 0, votes = 0, finished = 0;
  unsigned masks[warp_lanes];
  unsigned long long values[warp_lanes];
  Fiber *fibers[warp_lanes];
};

struct Block {
  const Launch *launch = nullptr;
  unsigned threads = 0, started = 0, finished = 0;
  uint3 next_position = {};
  Fiber host;               // who runs the block: it goes on when the block is done
  Fiber *current = nullptr;
  FiberQueue ready, idle, at_barrier;
  int vote_count = 0;                // of the barrier that fills
  int vote_result = 0, voters = 0;  // of the last that opened
  Warp warps[max_block_threads / warp_lanes];
  Block *next_spare = nullptr;
};

extern __thread Block *block;

void run_block(const Launch &launch, unsigned long long index);

// Gives up the processor; returns when somebody has made this fiber ready.
void wait_for_turn();

}  // namespace cudasim
