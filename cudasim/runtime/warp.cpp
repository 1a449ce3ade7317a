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

// All lanes that the mask names stand here, with the same mask.
static bool is_complete(const Warp &warp, unsigned mask) {
  unsigned expected = mask & ~warp.finished;
  if ((warp.arrived & expected) != expected) return false;
  for (unsigned lane = 0; lane < warp_lanes; ++lane)
    if ((expected & bit(lane)) && warp.masks[lane] != mask) return false;
  return true;
}

// A source that takes no part gives the lane its own value back.
static WarpAnswer answer_for(const Warp &warp, unsigned lane, unsigned lanes) {
  unsigned source = warp.fibers[lane]->warp_source & (warp_lanes - 1);
  bool present = lanes & bit(source);
  return {warp.values[present ? source : lane], warp.votes & lanes};
}

static void open_rendezvous(Warp &warp, unsigned mask) {
  unsigned lanes = warp.arrived & mask;
  observe_rendezvous(unsigned(&warp - block->warps), lanes);
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if (!(lanes & bit(lane))) continue;
    warp.fibers[lane]->warp_answer = answer_for(warp, lane, lanes);
    block->ready.push(warp.fibers[lane]);
  }
  warp.arrived &= ~lanes;
}

static WarpAnswer meet(unsigned mask, unsigned long long value, bool predicate, Place place) {
  Fiber *fiber = block->current;
  Warp &warp = warp_of(fiber->thread);
  unsigned lane = fiber->thread % warp_lanes;
  mask |= bit(lane);
  fiber->barrier = place;
  warp.fibers[lane] = fiber;
  warp.values[lane] = value;
  warp.masks[lane] = mask;
  warp.votes = (warp.votes & ~bit(lane)) | (predicate ? bit(lane) : 0);
  warp.arrived |= bit(lane);
  observe_wait();
  if (is_complete(warp, mask)) open_rendezvous(warp, mask);
  wait_for_turn();
  return fiber->warp_answer;
}

WarpAnswer warp_rendezvous(unsigned mask, unsigned long long value, bool predicate,
                           unsigned source, Place place) {
  block->current->warp_source = source;
  block->current->exchanges = true;
  return meet(mask, value, predicate, place);
}

void warp_barrier(unsigned mask, Place place) {
  block->current->exchanges = false;
  meet(mask, 0, false, place);
}

void leave_warp(unsigned thread) {
  Warp &warp = warp_of(thread);
  warp.finished |= bit(thread % warp_lanes);
  for (unsigned lane = 0; warp.arrived >> lane; ++lane)
    if ((warp.arrived & bit(lane)) && is_complete(warp, warp.masks[lane]))
      open_rendezvous(warp, warp.masks[lane]);
}

void open_stuck_rendezvous() {
  for (unsigned w = 0; w < warp_count(); ++w) {
    Warp &warp = block->warps[w];
    if (!warp.arrived) continue;
    observe_stuck_rendezvous(w, warp);
    open_rendezvous(warp, warp.arrived);
    return;
  }
}

unsigned lane_number() { return block->current->thread % warp_lanes; }

unsigned active_lanes() { return ~warp_of(block->current->thread).finished; }

}  // namespace cudasim
