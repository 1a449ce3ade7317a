// The functions that gcc's -fsanitize=thread,bounds,alignment calls, in place of
// libtsan's and libubsan's, and the memory functions, which they do not instrument.

#include <string>

#include "address_check.h"
#include "coherence.h"
#include "findings.h"
#include "source_line.h"
#include "turn.h"

#define CALLER __builtin_return_address(0)

using cudasim::Access;
using cudasim::check_access;
using cudasim::check_aligned_access;

extern "C" {

// ---- plain accesses ------------------------------------------------------------------------

#define ACCESS(name, bytes, access) \
  void __tsan_##name(void *p) { check_access(p, bytes, Access::access, CALLER); }
#define ALIGNED_ACCESS(name, bytes, access) \
  void __tsan_##name(void *p) { check_aligned_access(p, bytes, Access::access, CALLER); }
#define ACCESSES(bytes)                          \
  ALIGNED_ACCESS(read##bytes, bytes, read)       \
  ALIGNED_ACCESS(write##bytes, bytes, write)     \
  ACCESS(unaligned_read##bytes, bytes, read)     \
  ACCESS(unaligned_write##bytes, bytes, write)   \
  ACCESS(volatile_read##bytes, bytes, read)      \
  ACCESS(volatile_write##bytes, bytes, write)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void *p, size_t bytes) { check_access(p, bytes, Access::read, CALLER); }
void __tsan_write_range(void *p, size_t bytes) { check_access(p, bytes, Access::write, CALLER); }

void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {
  cudasim::track_function_exit(static_cast<char *>(__builtin_frame_address(1)) + 2 * sizeof(void *));
}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}

// ---- atomics -------------------------------------------------------------------------------

static void check_atomic(const volatile void *p, size_t bytes, const void *caller) {
  check_access(const_cast<const void *>(p), bytes, Access::atomic, caller);
  if (cudasim::in_kernel()) cudasim::atomic_time();
}

#define FETCH(bits, Type, operation)                                                       \
  Type __tsan_atomic##bits##_fetch_##operation(volatile Type *p, Type value, int) {        \
    check_atomic(p, sizeof(Type), CALLER);                                                 \
    return __atomic_fetch_##operation(p, value, __ATOMIC_SEQ_CST);                         \
  }
#define COMPARE_EXCHANGE(bits, Type, strength)                                             \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile Type *p, Type *expected,  \
                                                        Type value, int, int) {            \
    check_atomic(p, sizeof(Type), CALLER);                                                 \
    return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST,        \
                                       __ATOMIC_SEQ_CST);                                  \
  }
#define ATOMICS(bits, Type)                                                                \
  Type __tsan_atomic##bits##_load(const volatile Type *p, int) {                           \
    check_atomic(p, sizeof(Type), CALLER);                                                 \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                           \
  }                                                                                        \
  void __tsan_atomic##bits##_store(volatile Type *p, Type value, int) {                    \
    check_atomic(p, sizeof(Type), CALLER);                                                 \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                          \
  }                                                                                        \
  Type __tsan_atomic##bits##_exchange(volatile Type *p, Type value, int) {                 \
    check_atomic(p, sizeof(Type), CALLER);                                                 \
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

void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) {}

// ---- subscripts of arrays with a known extent ----------------------------------------------

// The first members of libubsan's data for an index out of bounds.
struct TypeData {
  unsigned short kind, info;
  char name[1];
};
struct SubscriptData {
  const char *file;
  unsigned line, column;
  const TypeData *array, *index;
};

static std::string index_text(const TypeData &type, unsigned long index) {
  bool is_signed = type.info & 1;
  unsigned bits = 1u << (type.info >> 1);
  if (!is_signed) return std::to_string(index);
  return std::to_string(bits == 32 ? long(int(index)) : long(index));
}

void __ubsan_handle_out_of_bounds(SubscriptData *data, unsigned long index) {
  unsigned code = cudasim::code_of(CALLER);
  cudasim::Turn turn;
  if (!cudasim::is_new(cudasim::Fault::index, code)) return;
  std::string place = cudasim::short_path(data->file) + ":" + std::to_string(data->line);
  cudasim::report_at(cudasim::Fault::out_of_bounds, place,
                     "out of bounds: index " + index_text(*data->index, index) + " of type " +
                         data->array->name);
}

// ---- alignment --------------------------------------------------------------------------------

// The first members of libubsan's data for a pointer that does not fit its type.
struct PointerData {
  const char *file;
  unsigned line, column;
  const TypeData *type;
  unsigned char log_alignment;
};

// Up to 8 bytes, the access itself tells more (check_aligned_access).
void __ubsan_handle_type_mismatch_v1(PointerData *data, void *p) {
  if (data->log_alignment <= 3 || !cudasim::in_kernel()) return;
  cudasim::report_misaligned_type(p, data->type->name, size_t(1) << data->log_alignment,
                                  cudasim::code_of(CALLER));
}

// ---- assert -------------------------------------------------------------------------------------

// In place of the C library's, which leaves behind what stdout holds and knows no blocks.
void __assert_fail(const char *condition, const char *file, unsigned line, const char *function) noexcept {
  std::string place = cudasim::short_path(file) + ":" + std::to_string(line);
  std::string what = std::string("the assertion `") + condition + "' failed";
  if (cudasim::in_kernel()) cudasim::end_with_finding(place, what);
  fflush(stdout);
  fprintf(stderr, "%s: %s: %s\n", place.c_str(), function, what.c_str());
  abort();
}

// ---- memory functions ----------------------------------------------------------------------

// prepare-assembly makes instrumented code call these.

void *cudasim_memcpy(void *to, const void *from, size_t bytes) {
  if (bytes) check_access(from, bytes, Access::read, CALLER);
  if (bytes) check_access(to, bytes, Access::write, CALLER);
  return memcpy(to, from, bytes);
}

void *cudasim_memmove(void *to, const void *from, size_t bytes) {
  if (bytes) check_access(from, bytes, Access::read, CALLER);
  if (bytes) check_access(to, bytes, Access::write, CALLER);
  return memmove(to, from, bytes);
}

void *cudasim_memset(void *to, int value, size_t bytes) {
  if (bytes) check_access(to, bytes, Access::write, CALLER);
  return memset(to, value, bytes);
}
}

namespace cudasim {
void memory_fence() { fence_time(); }

// An atomic operation that the headers carry out themselves.
// One that is atomic for its block alone orders nothing between blocks.
void observe_atomic(const volatile void *p, size_t bytes, Scope scope, const void *caller) {
  if (scope == Scope::device) check_atomic(p, bytes, caller);
  else check_access(const_cast<const void *>(p), bytes, Access::block_atomic, caller);
}

// A load past the L1 cache: to the checker, one as any other.
void observe_read_past_l1(const void *p, size_t bytes, const void *caller) {
  cudasim::check_aligned_access(p, bytes, Access::read, caller);
}
}  // namespace cudasim
