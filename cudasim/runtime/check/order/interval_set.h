// Sets of bytes, as intervals that neither overlap nor touch.
#pragma once

#include <map>

namespace cudasim {

class IntervalSet {
 public:
  void add(size_t begin, size_t end) {
    auto next = intervals_.upper_bound(begin);
    if (next != intervals_.begin() && std::prev(next)->second >= begin) --next;
    while (next != intervals_.end() && next->first <= end) {
      begin = std::min(begin, next->first);
      end = std::max(end, next->second);
      next = intervals_.erase(next);
    }
    intervals_.emplace(begin, end);
  }

  bool overlaps(size_t begin, size_t end) const {
    auto next = intervals_.lower_bound(end);
    return next != intervals_.begin() && std::prev(next)->second > begin;
  }

 private:
  std::map<size_t, size_t> intervals_;  // from begin to end
};

}  // namespace cudasim
