#include "timeline.h"

#include <algorithm>
#include <vector>

#include "block.h"
#include "observer.h"
#include "barrier_check.h"
#include "memory_guard.h"
#include "order/operations.h"
#include "shared_memory.h"

namespace cudasim {

// A block's place in time, and until when its accesses are released to other blocks.
struct BlockTime {
  unsigned start, released;
};

static unsigned now = 1;
static unsigned launch_start, block_start, phase_start;
static unsigned settled_before;  // of what ran before this launch
static unsigned last_release;  // of any block of this launch

// What came before this time, the whole warp has waited for.
static unsigned whole_warp_met[max_block_threads / warp_lanes];
// What a lane of the warp did before this time, the thread has waited for: itself, or through others.
// Times of earlier blocks may stay: they are before all that is compared with them.
static unsigned met[max_block_threads][warp_lanes];

// Of this launch, in order.
static std::vector<BlockTime> &block_times() {
  static auto &times = *new std::vector<BlockTime>;
  return times;
}

// Host code of another thread may run beside a kernel.
static __thread const Launch *launch_now;

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
bool is_settled(unsigned time) {
  return time < settled_before || (time < phase_start && time >= block_start);
}

void observe_launch(const Launch &launch) {
  prepare_for_faults();
  open_device_memory();
  prepare_shared_memory(launch.shape->dynamic_shared);
  launch_now = &launch;
  block_times().clear();
}

unsigned start_operation_time() {
  thread_now = 0;
  return launch_start = block_start = phase_start = ++now;
}

unsigned end_operation_time() { return now; }

void settle_until(unsigned time) { settled_before = time; }

void observe_launch_end() { launch_now = nullptr; }

void observe_block(unsigned long long index) {
  block_start = phase_start = ++now;
  block_now = index;
  fenced = acquired = false;
  block_times().push_back({now, 0});
}

void observe_thread(unsigned thread) { thread_now = thread; }

void observe_barrier(const Block &block) {
  check_barrier(block);
  phase_start = ++now;
}

// All lanes that meet know from now on what any of them knew.
static void meet_in_part(unsigned warp, unsigned lanes) {
  unsigned first = warp * warp_lanes, known[warp_lanes] = {};
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    for (unsigned i = 0; i < warp_lanes; ++i) known[i] = std::max(known[i], met[first + lane][i]);
  }
  for (unsigned lane = 0; lane < warp_lanes; ++lane)
    if (lanes >> lane & 1) known[lane] = now;
  for (unsigned lane = 0; lane < warp_lanes; ++lane)
    if (lanes >> lane & 1) memcpy(met[first + lane], known, sizeof known);
}

// A roll call orders nothing.
void observe_rendezvous(unsigned warp, unsigned lanes) {
  if (block->warps[warp].fibers[__builtin_ctz(lanes)]->meeting == Meeting::roll_call) return;
  ++now;
  if (lanes == ~0u) whole_warp_met[warp] = now;
  else meet_in_part(warp, lanes);
}

void fence_time() { fenced = true; }

void atomic_time() {
  acquired = true;
  if (fenced) block_times().back().released = last_release = now;
}

static size_t ordinal_at(unsigned time) {
  const std::vector<BlockTime> &times = block_times();
  size_t low = 0, high = times.size();
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    (times[middle].start <= time ? low : high) = middle;
  }
  return low;
}

unsigned long long block_at(unsigned time) { return ordinal_at(time); }

static bool met_in_warp(unsigned time, unsigned thread) {
  unsigned warp = thread_now / warp_lanes;
  return thread / warp_lanes == warp &&
         (time < whole_warp_met[warp] || time < met[thread_now][thread % warp_lanes]);
}

// An access by an earlier block that the block's fence and atomic stand behind.
static bool is_released(unsigned time) {
  return time <= last_release && time <= block_times()[ordinal_at(time)].released;
}

bool is_concurrent(unsigned time, unsigned thread) {
  if (is_settled(time)) return false;
  if (time < launch_start) return !is_ordered_access(time);
  if (time < block_start) return !(acquired && is_released(time));
  return thread != thread_now && !met_in_warp(time, thread);
}

int kept_rank(unsigned time, unsigned thread) {
  enum { worthless, of_this_warp, of_this_block, until_acquired, forever };
  if (is_settled(time)) return worthless;
  if (time < launch_start) return is_ordered_access(time) ? worthless : forever;
  if (time < block_start && !is_released(time)) return forever;
  if (time < block_start) return acquired ? worthless : until_acquired;
  if (thread == thread_now) return worthless;
  return thread / warp_lanes == thread_now / warp_lanes ? of_this_warp : of_this_block;
}

}  // namespace cudasim
