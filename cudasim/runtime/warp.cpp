#include "warp.h"

#include "block.h"
#include "observer.h"

namespace cudasim {

static unsigned warp_count() { return (block->threads + warp_lanes - 1) / warp_lanes; }
static Warp &warp_of(unsigned thread) { return block->warps[thread / warp_lanes]; }
static unsigned bit(unsigned lane) { return 1u << lane; }

// Lanes past the end of the block count as finished.
static unsigned missing_lanes(unsigned warp) {
  unsigned lanes = block->threads - warp * warp_lanes;
  return lanes >= warp_lanes ? 0 : ~0u << lanes;
}

void clear_warps() {
  for (unsigned w = 0; w < warp_count(); ++w) {
    block->warps[w].arrived = 0;
    block->warps[w].finished = missing_lanes(w);
  }
}

static bool is_roll_call(const Warp &warp, unsigned lane) { return warp.masks[lane] == 0; }

// Both lanes wait for the same: for lanes of the same mask, or in the same roll call.
static bool wait_together(const Warp &warp, unsigned lane, unsigned other) {
  if (warp.masks[lane] != warp.masks[other]) return false;
  return !is_roll_call(warp, lane) ||
         same_place(warp.fibers[lane]->barrier, warp.fibers[other]->barrier);
}

static unsigned lanes_waiting_with(const Warp &warp, unsigned lane) {
  unsigned lanes = 0;
  for (unsigned other = 0; other < warp_lanes; ++other)
    if ((warp.arrived & bit(other)) && wait_together(warp, lane, other)) lanes |= bit(other);
  return lanes;
}

// All lanes that the lane waits for stand here too; in a roll call, all that there are.
static bool is_complete(const Warp &warp, unsigned lane) {
  unsigned named = is_roll_call(warp, lane) ? ~0u : warp.masks[lane];
  return (named & ~warp.finished & ~lanes_waiting_with(warp, lane)) == 0;
}

// A source that takes no part gives 0; on a GPU it may give anything.
static WarpAnswer answer_for(const Warp &warp, unsigned lane, unsigned lanes) {
  unsigned source = warp.fibers[lane]->warp_source & (warp_lanes - 1);
  bool present = lanes & bit(source);
  return {present ? warp.values[source] : 0, warp.votes & lanes, lanes};
}

static void open_rendezvous(Warp &warp, unsigned lanes) {
  observe_rendezvous(unsigned(&warp - block->warps), lanes);
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if (!(lanes & bit(lane))) continue;
    Fiber *fiber = warp.fibers[lane];
    fiber->warp_answer = answer_for(warp, lane, lanes);
    if (fiber->warp_values) memcpy(fiber->warp_values, warp.values, sizeof warp.values);
    block->ready.push(fiber);
  }
  warp.arrived &= ~lanes;
}

// What a lane brings to a rendezvous; a mask of 0 is a roll call.
struct Arrival {
  Meeting meeting;
  unsigned mask;
  unsigned long long value = 0;
  bool predicate = false;
  unsigned source = 0;
  unsigned long long *values = nullptr;
};

static WarpAnswer meet(const Arrival &arrival, Place place) {
  Fiber *fiber = block->current;
  Warp &warp = warp_of(fiber->thread);
  unsigned lane = fiber->thread % warp_lanes;
  fiber->warp_source = arrival.source;
  fiber->warp_values = arrival.values;
  fiber->meeting = arrival.meeting;
  fiber->barrier = place;
  warp.fibers[lane] = fiber;
  warp.values[lane] = arrival.value;
  warp.masks[lane] = arrival.mask;
  warp.votes = (warp.votes & ~bit(lane)) | (arrival.predicate ? bit(lane) : 0);
  warp.arrived |= bit(lane);
  observe_wait();
  if (is_complete(warp, lane)) open_rendezvous(warp, lanes_waiting_with(warp, lane));
  wait_for_turn();
  return fiber->warp_answer;
}

// A lane that its own mask does not name meets nobody; on a GPU anything may happen.
static unsigned mask_with_self(unsigned mask, Place place) {
  unsigned self = bit(lane_number());
  if (mask & self) return mask;
  observe_foreign_mask(mask, place);
  return self;
}

WarpAnswer warp_rendezvous(unsigned mask, unsigned long long value, bool predicate,
                           unsigned source, Place place) {
  return meet({Meeting::exchange, mask_with_self(mask, place), value, predicate, source}, place);
}

unsigned warp_gather(unsigned mask, unsigned long long value, unsigned long long *values,
                     Place place) {
  return meet({Meeting::exchange, mask_with_self(mask, place), value, false, 0, values}, place).lanes;
}

void warp_barrier(unsigned mask, Place place) {
  meet({Meeting::barrier, mask_with_self(mask, place)}, place);
}

unsigned lanes_here(Place place) { return meet({Meeting::roll_call, 0}, place).lanes; }

void leave_warp(unsigned thread) {
  Warp &warp = warp_of(thread);
  warp.finished |= bit(thread % warp_lanes);
  if (!warp.arrived) return;
  for (unsigned lane = 0; lane < warp_lanes; ++lane)
    if ((warp.arrived & bit(lane)) && is_complete(warp, lane))
      open_rendezvous(warp, lanes_waiting_with(warp, lane));
}

// Nobody else will come to a roll call now.
static bool end_roll_call(Warp &warp) {
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if (!(warp.arrived & bit(lane)) || !is_roll_call(warp, lane)) continue;
    open_rendezvous(warp, lanes_waiting_with(warp, lane));
    return true;
  }
  return false;
}

void open_stuck_rendezvous() {
  for (unsigned w = 0; w < warp_count(); ++w)
    if (end_roll_call(block->warps[w])) return;
  for (unsigned w = 0; w < warp_count(); ++w) {
    Warp &warp = block->warps[w];
    if (!warp.arrived) continue;
    observe_stuck_rendezvous(w, warp);
    open_rendezvous(warp, warp.arrived);
    return;
  }
}

unsigned lane_number() { return block->current->thread % warp_lanes; }

}  // namespace cudasim
