#include "region_map.h"

#include <sys/mman.h>

namespace cudasim {

void RegionMap::create(char *begin, char *end, unsigned granule) {
  begin_ = begin;
  granule_ = granule;
  size_t size = (index(end) + 1) * sizeof(Region *);
  void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) abort();
  entries_ = static_cast<Region **>(memory);
  __atomic_store_n(&bytes_, size_t(end - begin), __ATOMIC_RELEASE);
}

void RegionMap::set(const char *begin, const char *end, Region *region) {
  if (begin == end) return;
  for (size_t i = index(begin); i <= index(end - 1); ++i) entries_[i] = region;
}

void RegionMap::fill_gaps(size_t limit) {
  Region *last = nullptr;
  size_t gap = 0;
  for (size_t i = 0; i <= index(begin_ + bytes_ - 1); ++i) {
    gap = entries_[i] ? 0 : gap + 1;
    if (entries_[i]) last = entries_[i];
    else if (gap <= limit) entries_[i] = last;
  }
}

}  // namespace cudasim
