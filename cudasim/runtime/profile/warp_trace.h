// What the lanes of a warp do, put together.
//
// Lanes run one after the other here, each until it has to wait.  So each keeps a trace of what
// it did: accesses, basic blocks, calls and returns.  Whenever no lane of a warp can run, or all
// meet at a barrier, the traces are replayed together, in the order in which a GPU would have executed them:
//
//   - lanes whose next event is the same instruction execute it together;
//   - of lanes that are at different places, those deepest in calls go first, and among these the
//     ones in the block that comes first in the order of tools/number-blocks: they catch up with
//     the others where paths join, at the latest at the immediate postdominator.
//
// (Collange, "Stack-less SIMT reconvergence at low cost", 2011; Diamos et al., "SIMD
// re-convergence at thread frontiers", MICRO 2011.)
//
// A lane whose trace is full gives up its turn, so a trace never becomes long.
#pragma once

#include "address_space.h"
#include "counters.h"

namespace cudasim {

// An asynchronous copy is two events: what it reads, by way of the L1 cache or past it, and what it
// writes to shared memory.
enum class EventKind : unsigned char {
  read,
  write,
  atomic,
  block,
  enter,
  leave,
  read_past_l1,
  copy_through_l1,
  copy_past_l1,
  copy_to_shared
};

struct Event {
  unsigned long long value;  // an address in `space`; of a block, its number and branch
  unsigned code;
  EventKind kind;
  Space space;
  unsigned short bytes;
};

inline unsigned block_number(const Event &event) { return unsigned(event.value); }
inline unsigned block_branch(const Event &event) { return unsigned(event.value >> 32); }

// Events of the lane that runs now.
void trace_access(const void *p, size_t bytes, Access access, const void *caller);
void trace_read_past_l1(const void *p, size_t bytes, const void *caller);
void trace_async_copy(const void *to, const void *from, size_t bytes, size_t zero_bytes,
                      bool past_l1, const void *caller);
void trace_block(unsigned number, const void *branch, const void *caller);
void trace_call(EventKind kind, const void *caller);

}  // namespace cudasim
