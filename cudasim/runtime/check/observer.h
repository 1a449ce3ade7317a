// What the scheduler tells the checker.
#pragma once

#include "async_copies.h"
#include "coherence.h"

namespace cudasim {

struct Block;
struct Warp;
struct Copy;
struct Fill;

void observe_launch(const Launch &launch);
void observe_rejected_launch(const Launch &launch);
inline void observe_refused_launch(const Launch &) {}
void observe_launch_end();
void observe_synchronisation();
void observe_block(unsigned long long index);
void observe_thread(unsigned thread);
inline void observe_wait() {}
inline void observe_finish() {
  if (copies_in_flight) finish_async_copies();
}
void observe_barrier(const Block &block);
void observe_rendezvous(unsigned warp, unsigned lanes);
inline void observe_copy(const Copy &copy, const void *caller) { track_copy(copy, caller); }
inline void observe_fill(const Fill &fill, const void *caller) { track_fill(fill, caller); }
void observe_stuck_rendezvous(unsigned warp, const Warp &lanes);
void observe_foreign_mask(unsigned mask, const Place &place);
void observe_beyond_symbol(const void *symbol, size_t bytes, size_t offset, const void *caller);
void observe_foreign_memory(int device, const void *p, const char *role, const void *caller);
void observe_trap(const Place &place);

}  // namespace cudasim
