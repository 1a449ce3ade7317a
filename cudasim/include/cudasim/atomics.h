// Atomic operations, by the compiler's own atomic built-ins: in check mode those become
// calls that the checker knows to be atomic.  All are relaxed, as CUDA's are.
#pragma once

namespace cudasim {

template <class Type, class Change>
__forceinline__ Type atomic_change(Type *address, Change change) {
  Type old;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  for (Type changed = change(old); !__atomic_compare_exchange(address, &old, &changed, true,
                                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED);)
    changed = change(old);
  return old;
}

// Floating point values are compared and exchanged as the integers of their size, so that
// a NaN or a minus zero does not keep the loop going.
template <class Type, class Bits>
__forceinline__ Type atomic_add_floating(Type *address, Type value) {
  Bits old = atomic_change(reinterpret_cast<Bits *>(address), [=](Bits bits) {
    Type sum;
    __builtin_memcpy(&sum, &bits, sizeof sum);
    sum += value;
    __builtin_memcpy(&bits, &sum, sizeof sum);
    return bits;
  });
  Type result;
  __builtin_memcpy(&result, &old, sizeof result);
  return result;
}

}  // namespace cudasim

#define CUDASIM_ATOMIC(name, type, expression)                          \
  __forceinline__ type name(type *address, type value) { return expression; }
#define CUDASIM_ATOMIC_FETCH(name, builtin, type) \
  CUDASIM_ATOMIC(name, type, builtin(address, value, __ATOMIC_RELAXED))
#define CUDASIM_ATOMIC_CHANGE(name, type, expression) \
  CUDASIM_ATOMIC(name, type,                          \
                 cudasim::atomic_change(address, [=](type old) -> type { return expression; }))

#define CUDASIM_INTEGER_ATOMICS(type)                               \
  CUDASIM_ATOMIC_FETCH(atomicExch, __atomic_exchange_n, type)       \
  CUDASIM_ATOMIC_FETCH(atomicAnd, __atomic_fetch_and, type)         \
  CUDASIM_ATOMIC_FETCH(atomicOr, __atomic_fetch_or, type)           \
  CUDASIM_ATOMIC_FETCH(atomicXor, __atomic_fetch_xor, type)         \
  CUDASIM_ATOMIC_CHANGE(atomicMin, type, value < old ? value : old) \
  CUDASIM_ATOMIC_CHANGE(atomicMax, type, old < value ? value : old) \
  __forceinline__ type atomicCAS(type *address, type expected, type value) {                 \
    __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_RELAXED,          \
                                __ATOMIC_RELAXED);                                           \
    return expected;                                                                         \
  }

CUDASIM_INTEGER_ATOMICS(int)
CUDASIM_INTEGER_ATOMICS(unsigned)
CUDASIM_INTEGER_ATOMICS(unsigned long long)
CUDASIM_ATOMIC_CHANGE(atomicMin, long long, value < old ? value : old)
CUDASIM_ATOMIC_CHANGE(atomicMax, long long, old < value ? value : old)
CUDASIM_ATOMIC_FETCH(atomicAdd, __atomic_fetch_add, int)
CUDASIM_ATOMIC_FETCH(atomicAdd, __atomic_fetch_add, unsigned)
CUDASIM_ATOMIC_FETCH(atomicAdd, __atomic_fetch_add, unsigned long long)
CUDASIM_ATOMIC_FETCH(atomicSub, __atomic_fetch_sub, int)
CUDASIM_ATOMIC_FETCH(atomicSub, __atomic_fetch_sub, unsigned)
CUDASIM_ATOMIC(atomicAdd, float, (cudasim::atomic_add_floating<float, unsigned>(address, value)))
CUDASIM_ATOMIC(atomicAdd, double,
               (cudasim::atomic_add_floating<double, unsigned long long>(address, value)))
CUDASIM_ATOMIC_CHANGE(atomicInc, unsigned, old >= value ? 0 : old + 1)
CUDASIM_ATOMIC_CHANGE(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)

__forceinline__ float atomicExch(float *address, float value) {
  float old;
  __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED);
  return old;
}

#undef CUDASIM_INTEGER_ATOMICS
#undef CUDASIM_ATOMIC_CHANGE
#undef CUDASIM_ATOMIC_FETCH
#undef CUDASIM_ATOMIC

// One machine, one scope: the narrower and wider forms mean the same here.
#define atomicAdd_block atomicAdd
#define atomicAdd_system atomicAdd
#define atomicMin_block atomicMin
#define atomicMax_block atomicMax
#define atomicCAS_block atomicCAS
#define atomicExch_block atomicExch
