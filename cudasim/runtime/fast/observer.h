// Fast mode watches nothing: the events of the scheduler vanish.
#pragma once

namespace cudasim {

struct Block;
struct Warp;
struct Copy;
struct Fill;

inline void observe_launch(const Launch &) {}
inline void observe_rejected_launch(const Launch &) {}
inline void observe_refused_launch(const Launch &) {}
inline void observe_launch_end() {}
inline void observe_synchronisation() {}
inline void observe_block(unsigned long long) {}
inline void observe_thread(unsigned) {}
inline void observe_wait() {}
inline void observe_finish() {}
inline void observe_barrier(const Block &) {}
inline void observe_rendezvous(unsigned, unsigned) {}
inline void observe_copy(const Copy &, const void *) {}
inline void observe_fill(const Fill &, const void *) {}
inline void observe_stuck_rendezvous(unsigned, const Warp &) {}
inline void observe_foreign_mask(unsigned, const Place &) {}
inline void observe_beyond_symbol(const void *, size_t, size_t, const void *) {}
inline void observe_foreign_memory(int, const void *, const char *, const void *) {}
inline void observe_trap(const Place &) {}

}  // namespace cudasim
