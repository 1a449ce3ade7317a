// Which ranges of memory somebody allocated, in order of address.
#pragma once

namespace cudasim {

struct Allocation {
  char *begin;
  size_t bytes;
  int device = 0;
  bool managed = false;

  // The range [p, p + n) lies within it.
  bool holds(const void *p, size_t n) const {
    size_t offset = size_t(static_cast<const char *>(p) - begin);
    return static_cast<const char *>(p) >= begin && offset <= bytes && n <= bytes - offset;
  }
};

class AllocationTable {
 public:
  void insert(Allocation allocation);
  void remove(const void *begin);

  // The last allocation that begins at or before p; null if there is none.
  const Allocation *find(const void *p) const;

  // The allocation that p points into.
  const Allocation *containing(const void *p) const {
    const Allocation *found = find(p);
    return found && found->holds(p, 1) ? found : nullptr;
  }
  const Allocation *beginning_at(const void *p) const {
    const Allocation *found = find(p);
    return found && found->begin == p ? found : nullptr;
  }

  size_t size() const { return count_; }
  const Allocation &operator[](size_t i) const { return entries_[i]; }

 private:
  size_t position(const void *p) const;

  Allocation *entries_ = nullptr;
  size_t count_ = 0, capacity_ = 0;
};

}  // namespace cudasim
