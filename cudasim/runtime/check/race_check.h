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

void compare_accesses(const Cell &cell, const Deed &deed);

// Most cells were never touched in this launch by anybody else.
inline void check_race(const Cell &cell, const Deed &deed) {
  bool reads_matter = deed.access != Access::read && is_in_launch(cell.read_time);
  if (is_in_launch(cell.write_time) || reads_matter) compare_accesses(cell, deed);
}

}  // namespace cudasim
