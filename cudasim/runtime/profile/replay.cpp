#include "replay.h"

#include "kernel_profile.h"
#include "request.h"

namespace cudasim {

constexpr unsigned long long nothing = ~0ull;

static unsigned long long step;

// ---- order -------------------------------------------------------------------------------

// Smaller keys go first; equal keys are the same instruction.
static unsigned long long key_of(const Lane &lane) {
  if (lane.events.empty()) return nothing;
  const Event &event = lane.events.front();
  bool begins = event.kind == EventKind::block;
  return (begins ? lane.position_of(block_number(event)) : lane.position) | event.code;
}

// ---- branches ----------------------------------------------------------------------------

static void diverge(WarpTrace &warp, const Frame &frame, unsigned gone) {
  if (frame.branch) ++counters_at(frame.branch).divergent_branches;
  unsigned rest = frame.mates & ~gone;
  for (unsigned left = rest; left; left &= left - 1)
    warp.lane[__builtin_ctz(left)].frames.back().mates = rest;
}

// The lanes go from the blocks that they executed last to one and the same place.  A block's
// branch diverges if not all lanes that executed it come along: a branch to n places, n - 1 times.
static void leave_blocks(WarpTrace &warp, unsigned lanes) {
  while (lanes) {
    Frame &frame = warp.lane[__builtin_ctz(lanes)].frames.back();
    unsigned together = 0;
    for (unsigned left = lanes; left; left &= left - 1) {
      unsigned i = __builtin_ctz(left);
      if (warp.lane[i].frames.back().step == frame.step) together |= 1u << i;
    }
    if (frame.mates & ~together) diverge(warp, frame, together);
    lanes &= ~together;
  }
}

static void enter_block(WarpTrace &warp, unsigned lanes, const Event &event) {
  leave_blocks(warp, lanes);
  count_step(warp.number, warp.lane[__builtin_ctz(lanes)].frames.back().code, event.code);
  Frame frame;
  frame.code = event.code;
  frame.number = block_number(event);
  frame.branch = block_branch(event);
  frame.mates = lanes;
  frame.step = ++step;
  if (frame.branch) ++counters_at(frame.branch).branches;
  for (; lanes; lanes &= lanes - 1) {
    Lane &lane = warp.lane[__builtin_ctz(lanes)];
    lane.frames.back() = frame;
    lane.set_position();
  }
}

static void enter_function(WarpTrace &warp, unsigned lanes) {
  Frame frame;
  frame.step = ++step;
  for (; lanes; lanes &= lanes - 1) {
    Lane &lane = warp.lane[__builtin_ctz(lanes)];
    lane.frames.push_back(frame);
    lane.set_position();
  }
}

static void leave_function(WarpTrace &warp, unsigned lanes) {
  leave_blocks(warp, lanes);
  for (; lanes; lanes &= lanes - 1) {
    Lane &lane = warp.lane[__builtin_ctz(lanes)];
    if (lane.frames.size() > 1) lane.frames.pop_back();
    lane.set_position();
  }
}

// ---- accesses ----------------------------------------------------------------------------

static void count_request(unsigned warp, const Request &request, const unsigned char *places,
                          const Event &event) {
  Counters &counters = counters_at(event.code);
  int kind = int(request.access);
  auto add = [](BankUse &to, const BankUse &use) {
    to.requests += use.requests, to.lanes += use.lanes;
    to.wavefronts += use.wavefronts, to.ideal_wavefronts += use.ideal_wavefronts;
    to.width_bytes += use.width_bytes;
  };
  if (request.asynchronous && event.space == Space::shared) {
    BankUse use = bank_use(request, places);
    counters.async_shared_wavefronts += use.wavefronts;
    counters.async_shared_ideal += use.ideal_wavefronts;
    return;
  }
  switch (event.space) {
    case Space::shared: return add(counters.shared[kind], bank_use(request, places));
    case Space::constant: return add(counters.constant, constant_use(request));
    default: return count_traffic(warp, request, event.space, event.code);
  }
}

static Access access_of(EventKind kind) {
  switch (kind) {
    case EventKind::read_past_l1:
    case EventKind::copy_through_l1:
    case EventKind::copy_past_l1: return Access::read;
    case EventKind::copy_to_shared: return Access::write;
    default: return Access(kind);
  }
}

// A pointer may point to shared memory in one lane and to global memory in another: that is
// a request to either.
static void access(WarpTrace &warp, unsigned lanes) {
  while (lanes) {
    const Event event = warp.lane[__builtin_ctz(lanes)].events.front();
    Request request;
    unsigned char places[32];
    request.access = access_of(event.kind);
    request.asynchronous = event.kind >= EventKind::copy_through_l1;
    request.past_l1 =
        event.kind == EventKind::read_past_l1 || event.kind == EventKind::copy_past_l1;
    request.bytes = event.bytes;
    request.lanes = 0;
    for (unsigned left = lanes; left; left &= left - 1) {
      unsigned i = __builtin_ctz(left);
      const Event &other = warp.lane[i].events.front();
      if (other.kind != event.kind || other.space != event.space || other.bytes != event.bytes)
        continue;
      places[request.lanes] = (unsigned char)i;
      request.address[request.lanes++] = other.value;
      lanes &= ~(1u << i);
    }
    if (!event.bytes) continue;
    count_request(warp.number, request, places, event);
    count_access(warp.number, event.code);
  }
}

// ---- the loop ----------------------------------------------------------------------------

static void execute(WarpTrace &warp, unsigned lanes) {
  const Event event = warp.lane[__builtin_ctz(lanes)].events.front();
  switch (event.kind) {
    case EventKind::block: enter_block(warp, lanes, event); break;
    case EventKind::enter: enter_function(warp, lanes); break;
    case EventKind::leave: leave_function(warp, lanes); break;
    default: access(warp, lanes);
  }
  for (; lanes; lanes &= lanes - 1) warp.lane[__builtin_ctz(lanes)].events.pop();
}

static unsigned first_in_order(const unsigned long long *keys, unsigned count) {
  unsigned long long least = nothing;
  for (unsigned i = 0; i < count; ++i) least = keys[i] < least ? keys[i] : least;
  unsigned lanes = 0;
  for (unsigned i = 0; i < count; ++i) lanes |= unsigned(keys[i] == least) << i;
  return least == nothing ? 0 : lanes;
}

static void replay_while(WarpTrace &warp, bool (Lane::*goes_on)() const) {
  unsigned long long keys[32];
  unsigned changed = ~0u >> (32 - warp.lanes), lanes;
  bool stop = false;
  do {
    for (unsigned left = changed; left; left &= left - 1) {
      unsigned i = __builtin_ctz(left);
      keys[i] = key_of(warp.lane[i]);
      stop |= keys[i] == nothing && (warp.lane[i].*goes_on)();
    }
    lanes = stop ? 0 : first_in_order(keys, warp.lanes);
    if (lanes) execute(warp, lanes);
    changed = lanes;
  } while (lanes);
  for (unsigned i = 0; i < warp.lanes; ++i) warp.lane[i].events.compact();
}

void replay(WarpTrace &warp) { replay_while(warp, &Lane::goes_on); }

void replay_all_but_waiting(WarpTrace &warp) { replay_while(warp, &Lane::goes_on_alone); }

}  // namespace cudasim
