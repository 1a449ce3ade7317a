// Atomic operations.  All are relaxed, as CUDA's are.
//
// In fast mode they are the compiler's own atomic built-ins.  In the modes that observe a program, blocks
// run on one processor, and an operation is what the observer is told and plain arithmetic.
#pragma once

namespace cudasim {

// For whom the operation is atomic: the threads of the block, or all threads. All devices are one here, so `system`
// is no more than `device`.
enum class Scope { block, device };

#ifdef CUDASIM_OBSERVED

void observe_atomic(const volatile void *address, size_t bytes, Scope scope, const void *caller);

// Not inlined, so that the return address is the place of the user's call.
template <Scope scope, class Type, class Change>
CUDASIM_UNCHECKED __noinline__ Type atomic_change(Type *address, Change change) {
  observe_atomic(address, sizeof(Type), scope, __builtin_return_address(0));
  Type old = *address;
  *address = change(old);
  return old;
}

#else

// Values are compared and exchanged as the integers of their size, so that a NaN or a minus
// zero does not keep the loop going.
template <size_t bytes> struct BitsOf;
template <> struct BitsOf<2> { typedef unsigned short Type; };
template <> struct BitsOf<4> { typedef unsigned Type; };
template <> struct BitsOf<8> { typedef unsigned long long Type; };

template <Scope, class Type, class Change>
__forceinline__ Type atomic_change(Type *address, Change change) {
  typedef typename BitsOf<sizeof(Type)>::Type Bits;
  auto place = reinterpret_cast<Bits *>(address);
  Bits bits = __atomic_load_n(place, __ATOMIC_RELAXED), changed_bits;
  Type old, changed;
  do {
    __builtin_memcpy(&old, &bits, sizeof old);
    changed = change(old);
    __builtin_memcpy(&changed_bits, &changed, sizeof changed);
  } while (!__atomic_compare_exchange_n(place, &bits, changed_bits, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
  return old;
}

#endif

}  // namespace cudasim

#define CUDASIM_ATOMIC_FORM(name, type, own_scope, expression)            \
  __forceinline__ type name(type *address, type value) {                  \
    [[maybe_unused]] constexpr cudasim::Scope scope = cudasim::own_scope; \
    return expression;                                                    \
  }
#define CUDASIM_CHANGE(type, expression) \
  cudasim::atomic_change<scope>(         \
      address, [=](type old) CUDASIM_UNCHECKED -> type { return expression; })
#define CUDASIM_CAS_FORM(name, type, own_scope)                         \
  __forceinline__ type name(type *address, type expected, type value) { \
    constexpr cudasim::Scope scope = cudasim::own_scope;                \
    return CUDASIM_CHANGE(type, old == expected ? value : old);         \
  }

// The scope is part of the name.
#define CUDASIM_ATOMIC(name, type, expression)                       \
  CUDASIM_ATOMIC_FORM(name, type, Scope::device, expression)         \
  CUDASIM_ATOMIC_FORM(name##_block, type, Scope::block, expression)  \
  CUDASIM_ATOMIC_FORM(name##_system, type, Scope::device, expression)
#define CUDASIM_ATOMIC_CHANGE(name, type, expression) \
  CUDASIM_ATOMIC(name, type, CUDASIM_CHANGE(type, expression))
#define CUDASIM_ATOMIC_CAS(type)                          \
  CUDASIM_CAS_FORM(atomicCAS, type, Scope::device)        \
  CUDASIM_CAS_FORM(atomicCAS_block, type, Scope::block)   \
  CUDASIM_CAS_FORM(atomicCAS_system, type, Scope::device)

// The built-ins know these operations on integers, which is faster.
#ifdef CUDASIM_OBSERVED
#define CUDASIM_ATOMIC_FETCH(name, builtin, type, expression) \
  CUDASIM_ATOMIC_CHANGE(name, type, expression)
#else
#define CUDASIM_ATOMIC_FETCH(name, builtin, type, expression) \
  CUDASIM_ATOMIC(name, type, builtin(address, value, __ATOMIC_RELAXED))
#endif

#define CUDASIM_ATOMIC_INTEGER(type)                                        \
  CUDASIM_ATOMIC_FETCH(atomicAdd, __atomic_fetch_add, type, old + value)    \
  CUDASIM_ATOMIC_FETCH(atomicExch, __atomic_exchange_n, type, value)        \
  CUDASIM_ATOMIC_FETCH(atomicAnd, __atomic_fetch_and, type, old & value)    \
  CUDASIM_ATOMIC_FETCH(atomicOr, __atomic_fetch_or, type, old | value)      \
  CUDASIM_ATOMIC_FETCH(atomicXor, __atomic_fetch_xor, type, old ^ value)    \
  CUDASIM_ATOMIC_CHANGE(atomicMin, type, value < old ? value : old)         \
  CUDASIM_ATOMIC_CHANGE(atomicMax, type, old < value ? value : old)         \
  CUDASIM_ATOMIC_CAS(type)

CUDASIM_ATOMIC_INTEGER(int)
CUDASIM_ATOMIC_INTEGER(unsigned)
CUDASIM_ATOMIC_INTEGER(unsigned long long)
CUDASIM_ATOMIC_CHANGE(atomicMin, long long, value < old ? value : old)
CUDASIM_ATOMIC_CHANGE(atomicMax, long long, old < value ? value : old)
CUDASIM_ATOMIC_FETCH(atomicAnd, __atomic_fetch_and, long long, old & value)
CUDASIM_ATOMIC_FETCH(atomicOr, __atomic_fetch_or, long long, old | value)
CUDASIM_ATOMIC_FETCH(atomicXor, __atomic_fetch_xor, long long, old ^ value)
CUDASIM_ATOMIC_FETCH(atomicSub, __atomic_fetch_sub, int, old - value)
CUDASIM_ATOMIC_FETCH(atomicSub, __atomic_fetch_sub, unsigned, old - value)
CUDASIM_ATOMIC_CHANGE(atomicInc, unsigned, old >= value ? 0 : old + 1)
CUDASIM_ATOMIC_CHANGE(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)
CUDASIM_ATOMIC_CHANGE(atomicAdd, float, old + value)
CUDASIM_ATOMIC_CHANGE(atomicAdd, double, old + value)
CUDASIM_ATOMIC_CHANGE(atomicExch, float, (static_cast<void>(old), value))
CUDASIM_ATOMIC_CAS(unsigned short)

#undef CUDASIM_ATOMIC_INTEGER
#undef CUDASIM_ATOMIC_FETCH
#undef CUDASIM_ATOMIC_CAS
#undef CUDASIM_ATOMIC_CHANGE
#undef CUDASIM_ATOMIC
#undef CUDASIM_CAS_FORM
#undef CUDASIM_CHANGE
#undef CUDASIM_ATOMIC_FORM
