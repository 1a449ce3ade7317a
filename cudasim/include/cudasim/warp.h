// Warp shuffles, votes and reductions.  Each is one rendezvous of the lanes that the mask names.
#pragma once

namespace cudasim {

// Every lane brings a value and a predicate; it takes away the value of lane `source`, the
// votes, and which lanes took part.
struct WarpAnswer {
  unsigned long long value;
  unsigned votes, lanes;
};
WarpAnswer warp_rendezvous(unsigned mask, unsigned long long value, bool predicate,
                           unsigned source, Place place);

// Gives every lane the values of all, by lane; returns which lanes took part.
unsigned warp_gather(unsigned mask, unsigned long long value, unsigned long long *values,
                     Place place);

void warp_barrier(unsigned mask, Place place);

// A roll call: which lanes of the warp are at this place, when all others wait elsewhere or have
// returned.
unsigned lanes_here(Place place);

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
// What is larger than 8 bytes, as groups may shuffle, takes several exchanges.
template <class Type>
CUDASIM_UNCHECKED Type shuffle(unsigned mask, Type value, unsigned source, Place place) {
  if constexpr (sizeof(Type) <= 8) {
    return from_bits<Type>(warp_rendezvous(mask, to_bits(value), false, source, place).value);
  } else {
    unsigned long long words[(sizeof(Type) + 7) / 8] = {};
    __builtin_memcpy(words, &value, sizeof value);
    for (unsigned long long &word : words)
      word = warp_rendezvous(mask, word, false, source, place).value;
    __builtin_memcpy(&value, words, sizeof value);
    return value;
  }
}

}  // namespace cudasim

inline void __syncwarp(unsigned mask = 0xffffffffu, CUDASIM_HERE) {
  CUDASIM_COMPILER_FENCE();
  cudasim::warp_barrier(mask, {file, line});
  CUDASIM_COMPILER_FENCE();
}
inline unsigned __activemask(CUDASIM_HERE) { return cudasim::lanes_here({file, line}); }

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

namespace cudasim {

// The values of the lanes that take part, in order of lane.
template <class Type>
struct Gathered {
  Type value[32];
  unsigned count = 0, own = 0;  // how many there are, and which is the caller's
};

template <class Type>
CUDASIM_UNCHECKED Gathered<Type> gather(unsigned mask, Type value, Place place) {
  unsigned long long values[32];
  unsigned lanes = warp_gather(mask, to_bits(value), values, place);
  Gathered<Type> gathered;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (lane == lane_number()) gathered.own = gathered.count;
    if (lanes >> lane & 1) gathered.value[gathered.count++] = from_bits<Type>(values[lane]);
  }
  return gathered;
}

// Every lane gets the same combination of all values.
template <class Type, class Combine>
CUDASIM_UNCHECKED Type warp_reduce(unsigned mask, Type value, Combine combine, Place place) {
  Gathered<Type> gathered = gather(mask, value, place);
  Type total = gathered.value[0];
  for (unsigned i = 1; i < gathered.count; ++i) total = combine(total, gathered.value[i]);
  return total;
}

// The lanes whose value is the same as that of lane `lane`.
CUDASIM_UNCHECKED inline unsigned same_lanes(const unsigned long long *values, unsigned lanes,
                                             unsigned lane) {
  unsigned same = 0;
  for (unsigned other = 0; other < 32; ++other)
    if ((lanes >> other & 1) && values[other] == values[lane]) same |= 1u << other;
  return same;
}

}  // namespace cudasim

template <class Type>
CUDASIM_UNCHECKED unsigned __match_any_sync(unsigned mask, Type value, CUDASIM_HERE) {
  unsigned long long values[32];
  unsigned lanes = cudasim::warp_gather(mask, cudasim::to_bits(value), values, {file, line});
  return cudasim::same_lanes(values, lanes, cudasim::lane_number());
}
template <class Type>
CUDASIM_UNCHECKED unsigned __match_all_sync(unsigned mask, Type value, int *all, CUDASIM_HERE) {
  unsigned long long values[32];
  unsigned lanes = cudasim::warp_gather(mask, cudasim::to_bits(value), values, {file, line});
  *all = cudasim::same_lanes(values, lanes, cudasim::lane_number()) == lanes;
  return *all ? lanes : 0;
}

#define CUDASIM_WARP_REDUCTION(name, type, expression)                                            \
  inline type name(unsigned mask, type value, CUDASIM_HERE) {                                     \
    return cudasim::warp_reduce(                                                                  \
        mask, value, [](type a, type b) CUDASIM_UNCHECKED -> type { return expression; },         \
        {file, line});                                                                            \
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
