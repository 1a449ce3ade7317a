// How much of each stream's work has been done, or is known to be: a vector clock. (Lamport, "Time, Clocks, and the
// Ordering of Events in a Distributed System", 1978; Mattern, "Virtual Time and Global States", 1989.)
#pragma once

#include <algorithm>
#include <vector>

namespace cudasim {

class Clock {
 public:
  // The operations of this stream up to which all are included; they count from 1.
  unsigned operator[](size_t stream) const { return stream < streams_ ? count(stream) : 0; }
  size_t streams() const { return streams_; }

  void advance(size_t stream, unsigned to) {
    if (stream >= streams_) make_room(stream + 1);
    unsigned &own = count(stream);
    own = std::max(own, to);
  }

  void join(const Clock &other) {
    for (size_t stream = 0; stream < other.streams_; ++stream) advance(stream, other.count(stream));
  }

  bool includes(const Clock &other) const {
    for (size_t stream = 0; stream < other.streams_; ++stream)
      if ((*this)[stream] < other.count(stream)) return false;
    return true;
  }

 private:
  // Most programs have few streams, and their clocks need no memory of their own.
  static constexpr size_t few = 4;

  const unsigned &count(size_t stream) const { return stream < few ? first_[stream] : rest_[stream - few]; }
  unsigned &count(size_t stream) { return stream < few ? first_[stream] : rest_[stream - few]; }

  void make_room(size_t streams) {
    streams_ = streams;
    if (streams > few) rest_.resize(streams - few);
  }

  size_t streams_ = 0;
  unsigned first_[few] = {};
  std::vector<unsigned> rest_;
};

}  // namespace cudasim
