// The functions that gcc's -fsanitize=thread and, through tools/number-blocks, its
// -fsanitize-coverage=trace-pc call, and the memory functions, which they do not instrument.

#include "warp_trace.h"

#define CALLER __builtin_return_address(0)

using cudasim::Access;
using cudasim::EventKind;
using cudasim::trace_access;
using cudasim::trace_call;
using cudasim::trace_read_past_l1;

extern "C" {

#define ACCESS(name, bytes, access) \
  void __tsan_##name(void *p) { trace_access(p, bytes, Access::access, CALLER); }
#define ACCESSES(bytes)                          \
  ACCESS(read##bytes, bytes, read)               \
  ACCESS(write##bytes, bytes, write)             \
  ACCESS(unaligned_read##bytes, bytes, read)     \
  ACCESS(unaligned_write##bytes, bytes, write)   \
  ACCESS(volatile_write##bytes, bytes, write)    \
  void __tsan_volatile_read##bytes(void *p) { trace_read_past_l1(p, bytes, CALLER); }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void *p, size_t bytes) { trace_access(p, bytes, Access::read, CALLER); }
void __tsan_write_range(void *p, size_t bytes) { trace_access(p, bytes, Access::write, CALLER); }

void __tsan_init() {}
void __tsan_func_entry(void *) { trace_call(EventKind::enter, CALLER); }
void __tsan_func_exit() { trace_call(EventKind::leave, CALLER); }
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}

void cudasim_block(unsigned number, const void *branch) {
  cudasim::trace_block(number, branch, CALLER);
}

// Host threads use atomic operations as well.

#define FETCH(bits, Type, operation)                                                       \
  Type __tsan_atomic##bits##_fetch_##operation(volatile Type *p, Type value, int) {        \
    trace_access(const_cast<Type *>(p), sizeof(Type), Access::atomic, CALLER);             \
    return __atomic_fetch_##operation(p, value, __ATOMIC_SEQ_CST);                         \
  }
#define COMPARE_EXCHANGE(bits, Type, strength)                                             \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile Type *p, Type *expected,  \
                                                        Type value, int, int) {            \
    trace_access(const_cast<Type *>(p), sizeof(Type), Access::atomic, CALLER);             \
    return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST,        \
                                       __ATOMIC_SEQ_CST);                                  \
  }
#define ATOMICS(bits, Type)                                                                \
  Type __tsan_atomic##bits##_load(const volatile Type *p, int) {                           \
    trace_access(const_cast<Type *>(p), sizeof(Type), Access::read, CALLER);               \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                           \
  }                                                                                        \
  void __tsan_atomic##bits##_store(volatile Type *p, Type value, int) {                    \
    trace_access(const_cast<Type *>(p), sizeof(Type), Access::write, CALLER);              \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                          \
  }                                                                                        \
  Type __tsan_atomic##bits##_exchange(volatile Type *p, Type value, int) {                 \
    trace_access(const_cast<Type *>(p), sizeof(Type), Access::atomic, CALLER);             \
    return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                \
  }                                                                                        \
  FETCH(bits, Type, add)                                                                   \
  FETCH(bits, Type, sub)                                                                   \
  FETCH(bits, Type, and)                                                                   \
  FETCH(bits, Type, or)                                                                    \
  FETCH(bits, Type, xor)                                                                   \
  FETCH(bits, Type, nand)                                                                  \
  COMPARE_EXCHANGE(bits, Type, strong)                                                     \
  COMPARE_EXCHANGE(bits, Type, weak)
ATOMICS(8, unsigned char)
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned)
ATOMICS(64, unsigned long)

void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}

// number-blocks makes instrumented code call these.

void *cudasim_memcpy(void *to, const void *from, size_t bytes) {
  trace_access(from, bytes, Access::read, CALLER);
  trace_access(to, bytes, Access::write, CALLER);
  return memcpy(to, from, bytes);
}

void *cudasim_memmove(void *to, const void *from, size_t bytes) {
  trace_access(from, bytes, Access::read, CALLER);
  trace_access(to, bytes, Access::write, CALLER);
  return memmove(to, from, bytes);
}

void *cudasim_memset(void *to, int value, size_t bytes) {
  trace_access(to, bytes, Access::write, CALLER);
  return memset(to, value, bytes);
}
}

namespace cudasim {
void memory_fence() {}

// As on a GPU, a size that the hardware does not have copies nothing.
void observe_async_copy(void *to, const void *from, size_t bytes, size_t zero_bytes, bool past_l1) {
  if ((bytes != 4 && bytes != 8 && bytes != 16) || zero_bytes > bytes) return;
  trace_async_copy(to, from, bytes, zero_bytes, past_l1, CALLER);
  memcpy(to, from, bytes - zero_bytes);
  memset(static_cast<char *>(to) + bytes - zero_bytes, 0, zero_bytes);
}

void observe_async_commit() {}
void observe_async_wait(size_t) {}

// An atomic operation that the headers carry out themselves.
void observe_atomic(const volatile void *p, size_t bytes, Scope, const void *caller) {
  trace_access(const_cast<const void *>(p), bytes, Access::atomic, caller);
}

// A load that does not use L1, which the headers carry out themselves.
void observe_read_past_l1(const void *p, size_t bytes, const void *caller) {
  trace_read_past_l1(p, bytes, caller);
}
}  // namespace cudasim
