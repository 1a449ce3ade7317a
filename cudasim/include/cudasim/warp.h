// Warp shuffles and votes.  Each is one rendezvous of the lanes that the mask names.
#pragma once

namespace cudasim {

// Every lane brings a value and a predicate; it takes away the value of lane `source` and
// the votes.
struct WarpAnswer {
  unsigned long long value;
  unsigned votes;
};
WarpAnswer warp_rendezvous(unsigned mask, unsigned long long value, bool predicate,
                           unsigned source, Place place);
void warp_barrier(unsigned mask, Place place);
unsigned active_lanes();
unsigned lane_number();

template <class Type>
CUDASIM_UNCHECKED unsigned long long to_bits(Type value) {
  static_assert(sizeof(Type) <= 8, "a shuffled value has at most 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class Type>
CUDASIM_UNCHECKED Type from_bits(unsigned long long bits) {
  Type value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
template <class Type>
CUDASIM_UNCHECKED Type shuffle(unsigned mask, Type value, unsigned source, Place place) {
  return from_bits<Type>(warp_rendezvous(mask, to_bits(value), false, source, place).value);
}

}  // namespace cudasim

inline void __syncwarp(unsigned mask = 0xffffffffu, CUDASIM_HERE) {
  CUDASIM_COMPILER_FENCE();
  cudasim::warp_barrier(mask, {file, line});
  CUDASIM_COMPILER_FENCE();
}
inline unsigned __activemask() { return cudasim::active_lanes(); }

inline unsigned __ballot_sync(unsigned mask, int predicate, CUDASIM_HERE) {
  return cudasim::warp_rendezvous(mask, 0, predicate != 0, 0, {file, line}).votes;
}
inline int __any_sync(unsigned mask, int predicate, CUDASIM_HERE) {
  return __ballot_sync(mask, predicate, file, line) != 0;
}
inline int __all_sync(unsigned mask, int predicate, CUDASIM_HERE) {
  return __ballot_sync(mask, !predicate, file, line) == 0;
}

// The warp is cut into segments of `width` lanes; a source outside its segment means the
// lane's own value.
template <class Type>
Type __shfl_sync(unsigned mask, Type value, int source, int width = 32, CUDASIM_HERE) {
  unsigned first = cudasim::lane_number() & ~(width - 1u);
  return cudasim::shuffle(mask, value, first + (source & (width - 1)), {file, line});
}
template <class Type>
Type __shfl_up_sync(unsigned mask, Type value, unsigned delta, int width = 32, CUDASIM_HERE) {
  unsigned lane = cudasim::lane_number(), place = lane & (width - 1u);
  return cudasim::shuffle(mask, value, place < delta ? lane : lane - delta, {file, line});
}
template <class Type>
Type __shfl_down_sync(unsigned mask, Type value, unsigned delta, int width = 32, CUDASIM_HERE) {
  unsigned lane = cudasim::lane_number(), place = lane & (width - 1u);
  return cudasim::shuffle(mask, value, place + delta >= unsigned(width) ? lane : lane + delta,
                          {file, line});
}
template <class Type>
Type __shfl_xor_sync(unsigned mask, Type value, int lanes, int width = 32, CUDASIM_HERE) {
  unsigned lane = cudasim::lane_number(), source = lane ^ lanes;
  bool beyond = (source & ~(width - 1u)) > (lane & ~(width - 1u));
  return cudasim::shuffle(mask, value, beyond ? lane : source, {file, line});
}

// Combines the values of all lanes in the mask; every lane gets the same result.
template <class Type, class Combine>
Type cudasim_reduce(unsigned mask, Type value, Combine combine, cudasim::Place place) {
  bool first = true;
  Type total{};
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1)) continue;
    Type other = cudasim::shuffle(mask, value, lane, place);
    total = first ? other : combine(total, other);
    first = false;
  }
  return total;
}
#define CUDASIM_WARP_REDUCTION(name, type, expression)                                \
  inline type name(unsigned mask, type value, CUDASIM_HERE) {                         \
    return cudasim_reduce(mask, value, [](type a, type b) { return expression; },     \
                          {file, line});                                              \
  }
CUDASIM_WARP_REDUCTION(__reduce_add_sync, int, a + b)
CUDASIM_WARP_REDUCTION(__reduce_add_sync, unsigned, a + b)
CUDASIM_WARP_REDUCTION(__reduce_min_sync, int, a < b ? a : b)
CUDASIM_WARP_REDUCTION(__reduce_min_sync, unsigned, a < b ? a : b)
CUDASIM_WARP_REDUCTION(__reduce_max_sync, int, a < b ? b : a)
CUDASIM_WARP_REDUCTION(__reduce_max_sync, unsigned, a < b ? b : a)
CUDASIM_WARP_REDUCTION(__reduce_and_sync, unsigned, a & b)
CUDASIM_WARP_REDUCTION(__reduce_or_sync, unsigned, a | b)
CUDASIM_WARP_REDUCTION(__reduce_xor_sync, unsigned, a ^ b)
#undef CUDASIM_WARP_REDUCTION
