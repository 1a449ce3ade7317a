// __syncthreads and the memory fences.
#pragma once

namespace cudasim {

struct Place {
  const char *file;
  int line;
};

// What the barrier makes of the threads' predicates: nothing, their number, or whether all or
// any hold.
enum class Vote { none, count, all, any };
int block_barrier(Place place, Vote vote, int predicate);
void memory_fence();
[[noreturn]] void trap(Place place);

}  // namespace cudasim

#define CUDASIM_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

// The compiler must neither keep shared memory in registers across a barrier nor move
// accesses over it.
#define CUDASIM_COMPILER_FENCE() __asm__ __volatile__("" ::: "memory")

inline void __syncthreads(CUDASIM_HERE) {
  CUDASIM_COMPILER_FENCE();
  cudasim::block_barrier({file, line}, cudasim::Vote::none, 0);
  CUDASIM_COMPILER_FENCE();
}
inline int __syncthreads_count(int predicate, CUDASIM_HERE) {
  CUDASIM_COMPILER_FENCE();
  return cudasim::block_barrier({file, line}, cudasim::Vote::count, predicate);
}
inline int __syncthreads_and(int predicate, CUDASIM_HERE) {
  CUDASIM_COMPILER_FENCE();
  return cudasim::block_barrier({file, line}, cudasim::Vote::all, predicate);
}
inline int __syncthreads_or(int predicate, CUDASIM_HERE) {
  CUDASIM_COMPILER_FENCE();
  return cudasim::block_barrier({file, line}, cudasim::Vote::any, predicate);
}

inline void __threadfence() { cudasim::memory_fence(); }
inline void __threadfence_block() { CUDASIM_COMPILER_FENCE(); }
inline void __threadfence_system() { cudasim::memory_fence(); }
