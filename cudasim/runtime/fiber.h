// A fiber: a stack of its own and the place where it stopped.  Switching costs a few
// nanoseconds; ucontext's system call makes it 18 times slower.
#pragma once

namespace cudasim {

inline bool same_place(const Place &a, const Place &b) {
  return a.line == b.line && strcmp(a.file, b.file) == 0;
}

// What lanes meet for: to wait for each other, to exchange values, or to learn who is there.
enum class Meeting : unsigned char { barrier, exchange, roll_call };

struct Fiber {
  void *stack_pointer = nullptr;
  char *stack = nullptr;
  void **stack_top = nullptr;
  Fiber *next = nullptr;  // in whichever queue the fiber stands

  // The CUDA thread that runs on it.
  unsigned thread = 0;
  uint3 position = {};

  // What it waits for.
  Place barrier = {};
  unsigned warp_source = 0;
  WarpAnswer warp_answer = {};
  unsigned long long *warp_values = nullptr;  // where it wants the values of all lanes
  Meeting meeting = Meeting::barrier;
};

constexpr size_t fiber_stack_bytes = 256 * 1024;

Fiber *create_fiber();

// Makes it call `entry` when it is next switched to, whatever it did before; `entry` never returns.
void start_fiber(Fiber *fiber, void (*entry)());

void switch_fiber(Fiber *from, Fiber *to);

}  // namespace cudasim
