// Two accesses, at least one of them a write, with nothing to order them.
#pragma once

#include "region.h"

namespace cudasim {

// What the current thread does.
struct Deed {
  Region &region;
  size_t offset, bytes;
  Access access;
  unsigned code;
};

void compare_accesses(const Cell &cell, const Crowd *atomics, const Deed &deed);

// Most cells were never touched by anybody else since the last barrier.
inline void check_race(const Cell &cell, const Crowd *atomics, const Deed &deed) {
  bool reads_matter = deed.access != Access::read && !cell.reads.all_settled();
  bool atomics_matter = atomics && !atomics->all_settled();
  if (!is_settled(cell.write_time) || reads_matter || atomics_matter)
    compare_accesses(cell, atomics, deed);
}

}  // namespace cudasim
