#include "allocation_table.h"

namespace cudasim {

// How many allocations begin at or before p.
size_t AllocationTable::position(const void *p) const {
  size_t low = 0, high = count_;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (entries_[middle].begin <= p) low = middle + 1;
    else high = middle;
  }
  return low;
}

const Allocation *AllocationTable::find(const void *p) const {
  size_t i = position(p);
  return i ? &entries_[i - 1] : nullptr;
}

void AllocationTable::insert(Allocation allocation) {
  if (count_ == capacity_) {
    capacity_ = capacity_ ? 2 * capacity_ : 64;
    entries_ = static_cast<Allocation *>(realloc(entries_, capacity_ * sizeof(Allocation)));
  }
  size_t i = position(allocation.begin);
  memmove(entries_ + i + 1, entries_ + i, (count_ - i) * sizeof(Allocation));
  entries_[i] = allocation;
  ++count_;
}

void AllocationTable::remove(const void *begin) {
  size_t i = position(begin) - 1;
  memmove(entries_ + i, entries_ + i + 1, (count_ - i - 1) * sizeof(Allocation));
  --count_;
}

}  // namespace cudasim
