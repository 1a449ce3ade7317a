// Reductions and scans of the lanes of a group.
#pragma once

#include "cooperative_groups.h"

namespace cooperative_groups {

#define CUDASIM_OPERATION(name, expression)                        \
  template <class Type = void>                                     \
  struct name {                                                    \
    Type operator()(Type a, Type b) const { return expression; }   \
  };                                                               \
  template <>                                                      \
  struct name<void> {                                              \
    template <class Type>                                          \
    Type operator()(Type a, Type b) const { return expression; }   \
  };
CUDASIM_OPERATION(plus, a + b)
CUDASIM_OPERATION(less, b < a ? b : a)
CUDASIM_OPERATION(greater, a < b ? b : a)
CUDASIM_OPERATION(bit_and, a & b)
CUDASIM_OPERATION(bit_or, a | b)
CUDASIM_OPERATION(bit_xor, a ^ b)
#undef CUDASIM_OPERATION

template <class Group, class Type, class Operation>
Type reduce(const Group &group, Type value, Operation operation, CUDASIM_HERE) {
  return cudasim::warp_reduce(group.lanes(), value, operation, {file, line});
}

template <class Group, class Type, class Operation>
CUDASIM_UNCHECKED Type inclusive_scan(const Group &group, Type value, Operation operation,
                                      CUDASIM_HERE) {
  cudasim::Gathered<Type> all = cudasim::gather(group.lanes(), value, {file, line});
  Type total = all.value[0];
  for (unsigned i = 1; i <= all.own; ++i) total = operation(total, all.value[i]);
  return total;
}
template <class Group, class Type>
Type inclusive_scan(const Group &group, Type value, CUDASIM_HERE) {
  return inclusive_scan(group, value, plus<Type>(), file, line);
}

// The first lane gets the value of Type().
template <class Group, class Type, class Operation>
CUDASIM_UNCHECKED Type exclusive_scan(const Group &group, Type value, Operation operation,
                                      CUDASIM_HERE) {
  cudasim::Gathered<Type> all = cudasim::gather(group.lanes(), value, {file, line});
  if (all.own == 0) return Type();
  Type total = all.value[0];
  for (unsigned i = 1; i < all.own; ++i) total = operation(total, all.value[i]);
  return total;
}
template <class Group, class Type>
Type exclusive_scan(const Group &group, Type value, CUDASIM_HERE) {
  return exclusive_scan(group, value, plus<Type>(), file, line);
}

}  // namespace cooperative_groups
