// What the scheduler and the host's API tell the profiler.
#pragma once

namespace cudasim {

struct Block;
struct Warp;
struct Copy;
struct Fill;

void observe_launch(const Launch &launch);
inline void observe_rejected_launch(const Launch &) {}
void observe_refused_launch(const Launch &launch);
void observe_launch_end();
inline void observe_synchronisation() {}
void observe_block(unsigned long long index);
void observe_thread(unsigned thread);
void observe_wait();
void observe_finish();
void observe_barrier(const Block &block);
void observe_rendezvous(unsigned warp, unsigned lanes);
inline void observe_stuck_rendezvous(unsigned, const Warp &) {}
void observe_copy(const Copy &copy, const void *caller);
void observe_fill(const Fill &fill, const void *caller);
inline void observe_foreign_mask(unsigned, const Place &) {}
inline void observe_beyond_symbol(const void *, size_t, size_t, const void *) {}
inline void observe_foreign_memory(int, const void *, const char *, const void *) {}
inline void observe_trap(const Place &) {}

}  // namespace cudasim
