// A value for each byte of some intervals of addresses.
#pragma once

#include <map>
#include <vector>

namespace cudasim {

template <class Value>
class IntervalMap {
 public:
  struct Piece {
    size_t begin, end;
    Value value;
  };

  // The parts of the range that have a value, in order: a copy, so that the map may be changed meanwhile.
  std::vector<Piece> pieces(size_t begin, size_t end) const {
    std::vector<Piece> found;
    for (auto at = first_reaching(begin); at != map_.end() && at->first < end; ++at)
      found.push_back({std::max(begin, at->first), std::min(end, at->second.end), at->second.value});
    return found;
  }

  void erase(size_t begin, size_t end) {
    split(begin);
    split(end);
    map_.erase(map_.lower_bound(begin), map_.lower_bound(end));
  }

  void assign(size_t begin, size_t end, const Value &value) {
    erase(begin, end);
    auto next = map_.lower_bound(end);
    if (next != map_.end() && next->first == end && next->second.value == value) {
      end = next->second.end;
      map_.erase(next);
    }
    auto before = map_.lower_bound(begin);
    if (before != map_.begin() && (--before)->second.end == begin && before->second.value == value)
      before->second.end = end;
    else
      map_.insert({begin, Entry{end, value}});
  }

 private:
  struct Entry {
    size_t end;
    Value value;
  };
  using Map = std::map<size_t, Entry>;

  typename Map::const_iterator first_reaching(size_t begin) const {
    auto at = map_.upper_bound(begin);
    if (at == map_.begin()) return at;
    auto before = std::prev(at);
    return before->second.end > begin ? before : at;
  }

  // No entry reaches over `at`.
  void split(size_t at) {
    auto after = map_.lower_bound(at);
    if (after == map_.begin()) return;
    auto before = std::prev(after);
    if (before->second.end <= at) return;
    map_.insert(after, {at, before->second});
    before->second.end = at;
  }

  Map map_;
};

}  // namespace cudasim
