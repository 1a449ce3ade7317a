#include "warp_trace.h"

#include "block.h"
#include "observer.h"
#include "replay.h"
#include "source_line.h"

namespace cudasim {

constexpr size_t trace_length = 512;

static WarpTrace warps[max_block_threads / warp_lanes];
static unsigned thread_now;
static bool launched;

static WarpTrace &current_warp() { return warps[thread_now / warp_lanes]; }
static Lane &current_lane() { return current_warp().lane[thread_now % warp_lanes]; }

// ---- who can run -------------------------------------------------------------------------

void start_traces(unsigned threads) {
  for (unsigned first = 0; first < threads; first += warp_lanes) {
    WarpTrace &warp = warps[first / warp_lanes];
    unsigned left = threads - first;
    warp.number = first / warp_lanes;
    warp.lanes = warp.runnable = left < warp_lanes ? left : warp_lanes;
    for (unsigned i = 0; i < warp.lanes; ++i) warp.lane[i].start();
  }
}

static void release_full_lanes(WarpTrace &warp) {
  for (unsigned i = 0; i < warp.lanes; ++i) {
    Lane &lane = warp.lane[i];
    if (lane.state != LaneState::full || lane.events.length() >= trace_length) continue;
    lane.state = LaneState::runnable;
    ++warp.runnable;
    block->ready.push(lane.fiber);
  }
}

static void stop_lane(LaneState state) {
  WarpTrace &warp = current_warp();
  current_lane().state = state;
  if (--warp.runnable) return;
  replay(warp);
  release_full_lanes(warp);
}

static void wait_while_full() {
  while (current_lane().events.length() >= trace_length) {
    current_lane().fiber = block->current;
    stop_lane(LaneState::full);
    wait_for_turn();
  }
}

void observe_thread(unsigned thread) { thread_now = thread; }
void observe_wait() { stop_lane(LaneState::waiting); }
void observe_finish() { stop_lane(LaneState::finished); }

void resume_lane(unsigned thread) {
  WarpTrace &warp = warps[thread / warp_lanes];
  warp.lane[thread % warp_lanes].state = LaneState::runnable;
  ++warp.runnable;
}

// ---- events ------------------------------------------------------------------------------

void enable_traces(bool enabled) { launched = enabled; }

static void push(const Event &event) { current_lane().events.push(event); }

// A structure is accessed in pieces of the largest power of two that divides its size.
static unsigned piece_of(size_t bytes) {
  size_t piece = bytes & -bytes;
  return unsigned(piece < 16 ? piece : 16);
}

void trace_access(const void *p, size_t bytes, Access access, const void *caller) {
  if (!launched || !bytes) return;
  Location location = location_of(p);
  if (location.space == Space::none) return;
  // Nothing may come between the parts of an atomic operation.
  if (access != Access::atomic) wait_while_full();
  unsigned piece = piece_of(bytes);
  for (size_t i = 0; i < bytes; i += piece)
    push({location.address + i, code_of(caller), EventKind(access), location.space,
          (unsigned short)piece});
}

void trace_block(unsigned number, const void *branch, const void *caller) {
  if (!launched) return;
  wait_while_full();
  unsigned long long branch_code = branch ? code_of(branch) : 0;
  push({number | branch_code << 32, code_of(caller), EventKind::block, Space::none, 0});
}

void trace_call(EventKind kind, const void *caller) {
  if (launched) push({0, code_of(caller), kind, Space::none, 0});
}

}  // namespace cudasim
