#include "timeline.h"

#include <vector>

#include "block.h"
#include "observer.h"
#include "barrier_check.h"
#include "memory_guard.h"
#include "shared_memory.h"

namespace cudasim {

// A block's place in time, and until when its accesses are released to other blocks.
struct BlockTime {
  unsigned start, released;
};

struct RendezvousTime {
  unsigned time, lanes;
};

static unsigned now = 1;
static unsigned launch_start, block_start, phase_start;
static std::vector<BlockTime> block_times;  // of this launch, in order
static RendezvousTime rendezvous[max_block_threads];
static const Launch *launch_now;
static unsigned long long block_now;
static unsigned thread_now;
static bool fenced, acquired;

bool in_kernel() { return launch_now; }
unsigned current_thread() { return thread_now; }
unsigned current_time() { return now; }
const Launch *current_launch() { return launch_now; }
unsigned long long current_block() { return block_now; }
unsigned block_serial() { return block_start; }
bool is_in_launch(unsigned time) { return time >= launch_start; }
bool is_in_block(unsigned time) { return time >= block_start; }

void observe_launch(const Launch &launch) {
  open_device_memory();
  prepare_shared_memory(launch.shape->dynamic_shared);
  launch_start = ++now;
  launch_now = &launch;
  block_times.clear();
}

void observe_launch_end() { launch_now = nullptr; }

void observe_block(unsigned long long index) {
  block_start = phase_start = ++now;
  block_now = index;
  fenced = acquired = false;
  block_times.push_back({now, 0});
  for (unsigned thread = 0; thread < block->threads; ++thread) rendezvous[thread] = {0, 0};
}

void observe_thread(unsigned thread) { thread_now = thread; }

void observe_barrier(const Block &block) {
  check_barrier(block);
  phase_start = ++now;
}

// A roll call orders nothing.
void observe_rendezvous(unsigned warp, unsigned lanes) {
  if (block->warps[warp].fibers[__builtin_ctz(lanes)]->meeting == Meeting::roll_call) return;
  ++now;
  for (unsigned lane = 0; lane < warp_lanes; ++lane)
    if (lanes >> lane & 1) rendezvous[warp * warp_lanes + lane] = {now, lanes};
}

void fence_time() { fenced = true; }

void atomic_time() {
  acquired = true;
  if (fenced) block_times.back().released = now;
}

static size_t ordinal_at(unsigned time) {
  size_t low = 0, high = block_times.size();
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    (block_times[middle].start <= time ? low : high) = middle;
  }
  return low;
}

unsigned long long block_at(unsigned time) { return ordinal_at(time); }

static bool met_in_warp(unsigned time, unsigned thread) {
  const RendezvousTime &last = rendezvous[thread_now];
  return thread / warp_lanes == thread_now / warp_lanes && time < last.time &&
         (last.lanes >> thread % warp_lanes & 1);
}

bool is_concurrent(unsigned time, unsigned thread) {
  if (time < launch_start) return false;
  if (time < block_start) return !(acquired && time <= block_times[ordinal_at(time)].released);
  if (time < phase_start || thread == thread_now) return false;
  return !met_in_warp(time, thread);
}

}  // namespace cudasim
