// memcpy_async: the threads of the group copy at once, and `wait` is where they may rely on it.
#pragma once

#include "cooperative_groups.h"

namespace cooperative_groups {

template <class Group, class Type>
void memcpy_async(const Group &group, Type *to, const Type *from, size_t bytes) {
  for (size_t i = group.thread_rank(); i < bytes / sizeof(Type); i += group.size()) to[i] = from[i];
}

template <class Group>
void wait(const Group &group, CUDASIM_HERE) { group.sync(file, line); }
template <unsigned stages, class Group>
void wait_prior(const Group &group, CUDASIM_HERE) { group.sync(file, line); }

}  // namespace cooperative_groups
