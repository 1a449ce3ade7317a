#include "warp_trace.h"

#include "block.h"
#include "kernel_profile.h"
#include "observer.h"
#include "replay.h"
#include "symbols.h"

namespace cudasim {

constexpr size_t trace_length = 192;

static WarpTrace *warp_now;
static __thread Lane *lane_now;  // null in host code
static const char *code_begin;

static WarpTrace &warp_of_block(unsigned number) {
  static auto *warps = new WarpTrace[max_block_threads / warp_lanes];
  return warps[number];
}

// ---- who can run -------------------------------------------------------------------------

void start_traces(unsigned threads) {
  for (unsigned first = 0; first < threads; first += warp_lanes) {
    WarpTrace &warp = warp_of_block(first / warp_lanes);
    unsigned left = threads - first;
    warp.number = first / warp_lanes;
    warp.lanes = warp.runnable = left < warp_lanes ? left : warp_lanes;
    for (unsigned i = 0; i < warp.lanes; ++i) warp.lane[i].start();
  }
}

// Returns whether full lanes are left, and no lane can run.
static bool release_full_lanes(WarpTrace &warp) {
  bool full = false;
  for (unsigned i = 0; i < warp.lanes; ++i) {
    Lane &lane = warp.lane[i];
    if (lane.state != LaneState::full) continue;
    full = true;
    if (lane.events.length() >= trace_length) continue;
    lane.state = LaneState::runnable;
    ++warp.runnable;
    block->ready.push(lane.fiber);
  }
  return full && !warp.runnable;
}

static void stop_lane(LaneState state) {
  lane_now->state = state;
  if (--warp_now->runnable) return;
  replay(*warp_now);
  if (!release_full_lanes(*warp_now)) return;
  replay_all_but_waiting(*warp_now);
  release_full_lanes(*warp_now);
}

static void wait_while_full() {
  while (lane_now->events.length() >= trace_length) {
    lane_now->fiber = block->current;
    stop_lane(LaneState::full);
    wait_for_turn();
  }
}

void observe_thread(unsigned thread) {
  warp_now = &warp_of_block(thread / warp_lanes);
  lane_now = &warp_now->lane[thread % warp_lanes];
}

void observe_wait() { stop_lane(LaneState::waiting); }
void observe_finish() { stop_lane(LaneState::finished); }

// All lanes of the warp that have not returned are at a meeting for all: nothing comes before it.
void finish_before_meeting(unsigned warp) { replay_all_but_waiting(warp_of_block(warp)); }

void resume_lane(unsigned thread) {
  WarpTrace &warp = warp_of_block(thread / warp_lanes);
  warp.lane[thread % warp_lanes].state = LaneState::runnable;
  ++warp.runnable;
}

// ---- events ------------------------------------------------------------------------------

void begin_traces() {
  code_begin = program_image().begin;
  prepare_locations();
}

void end_traces() { lane_now = nullptr; }

// As code_of gives it.
static unsigned code_at(const void *address) {
  return unsigned(static_cast<const char *>(address) - code_begin);
}

// A structure is accessed in pieces of the largest power of two that divides its size.
static unsigned piece_of(size_t bytes) {
  size_t piece = bytes & -bytes;
  return unsigned(piece < 16 ? piece : 16);
}

static void trace(const void *p, size_t bytes, EventKind kind, const void *caller) {
  if (!lane_now || !bytes) return;
  Location location = location_of(p);
  if (location.space == Space::none) return;
  if (location.space != Space::constant) note_work();
  // Nothing may come between the parts of an atomic operation.
  if (kind != EventKind::atomic) wait_while_full();
  unsigned piece = piece_of(bytes);
  for (size_t i = 0; i < bytes; i += piece)
    lane_now->events.push({location.address + i, code_at(caller), kind, location.space,
                           (unsigned short)piece});
}

void trace_access(const void *p, size_t bytes, Access access, const void *caller) {
  trace(p, bytes, EventKind(access), caller);
}

void trace_read_past_l1(const void *p, size_t bytes, const void *caller) {
  trace(p, bytes, EventKind::read_past_l1, caller);
}

// Also for no bytes, so that lanes that copy only zeros stay beside the others.
static void push_copy_event(const void *p, size_t bytes, EventKind kind, const void *caller) {
  Location location = bytes ? location_of(p) : Location{Space::global, 0};
  if (location.space == Space::none) return;
  lane_now->events.push(
      {location.address, code_at(caller), kind, location.space, (unsigned short)bytes});
}

void trace_async_copy(const void *to, const void *from, size_t bytes, size_t zero_bytes,
                      bool past_l1, const void *caller) {
  if (!lane_now) return;
  wait_while_full();
  EventKind kind = past_l1 ? EventKind::copy_past_l1 : EventKind::copy_through_l1;
  push_copy_event(from, bytes - zero_bytes, kind, caller);
  push_copy_event(to, bytes, EventKind::copy_to_shared, caller);
}

void trace_block(unsigned number, const void *branch, const void *caller) {
  if (!lane_now) return;
  wait_while_full();
  unsigned long long branch_code = branch ? code_at(branch) : 0;
  lane_now->events.push({number | branch_code << 32, code_at(caller), EventKind::block, Space::none,
                         0});
}

void trace_call(EventKind kind, const void *caller) {
  if (lane_now) lane_now->events.push({0, code_at(caller), kind, Space::none, 0});
}

}  // namespace cudasim
