// From an address to the region around it, for a range of addresses.  A region also owns
// the gap after it, so that a bad address names the array that it was meant for.
#pragma once

#include "region.h"

namespace cudasim {

class RegionMap {
 public:
  // `granule` is the number of address bits that one entry stands for.
  void create(char *begin, char *end, unsigned granule);

  // Host code may ask while another thread creates the map.
  bool covers(const void *p) const {
    size_t bytes = __atomic_load_n(&bytes_, __ATOMIC_ACQUIRE);
    return size_t(static_cast<const char *>(p) - begin_) < bytes;
  }
  Region *at(const void *p) const {
    return entries_[size_t(static_cast<const char *>(p) - begin_) >> granule_];
  }

  // All addresses of [begin, end) belong to the region.
  void set(const char *begin, const char *end, Region *region);

  // The same regions at other addresses; who calls it changes where they begin.
  void move(ptrdiff_t distance) { begin_ += distance; }

  // Gives the entries that nobody owns to the region before them, `limit` of them at most.
  void fill_gaps(size_t limit);

 private:
  size_t index(const char *p) const { return size_t(p - begin_) >> granule_; }

  char *begin_ = nullptr;
  size_t bytes_ = 0;
  unsigned granule_ = 0;
  Region **entries_ = nullptr;
};

}  // namespace cudasim
