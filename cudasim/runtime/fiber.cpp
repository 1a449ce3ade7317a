#include "fiber.h"

#include <sys/mman.h>

#if !defined(__x86_64__)
#error "cudasim switches fibers in x86-64 assembly"
#endif

// void cudasim_switch_stack(void **save, void *load): the System V ABI makes the caller
// keep every other register.
asm(R"(
.text
.hidden cudasim_switch_stack
.globl cudasim_switch_stack
.type cudasim_switch_stack, @function
cudasim_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size cudasim_switch_stack, .-cudasim_switch_stack
)");
extern "C" void cudasim_switch_stack(void **save, void *load);

namespace cudasim {

constexpr size_t guard_bytes = 4096;
constexpr int saved_registers = 6;

// Stacks that begin at the same offset of their pages would all compete for the same few
// cache sets.
static size_t stack_colour() {
  static __thread unsigned count;
  return count++ * 320 % 8192 / 16 * 16;
}

static char *map_stack() {
  void *memory = mmap(nullptr, guard_bytes + fiber_stack_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    fprintf(stderr, "cudasim: no memory for the stack of a CUDA thread\n");
    abort();
  }
  mprotect(memory, guard_bytes, PROT_NONE);
  return static_cast<char *>(memory) + guard_bytes;
}

Fiber *create_fiber() {
  Fiber *fiber = new Fiber;
  fiber->stack = map_stack();
  fiber->stack_top = reinterpret_cast<void **>(fiber->stack + fiber_stack_bytes - stack_colour());
  return fiber;
}

void start_fiber(Fiber *fiber, void (*entry)()) {
  void **top = fiber->stack_top;
  *--top = nullptr;
  *--top = reinterpret_cast<void *>(entry);
  for (int i = 0; i < saved_registers; ++i) *--top = nullptr;
  fiber->stack_pointer = top;
}

void switch_fiber(Fiber *from, Fiber *to) {
  cudasim_switch_stack(&from->stack_pointer, to->stack_pointer);
}

}  // namespace cudasim
