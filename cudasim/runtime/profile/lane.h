// One lane of a warp: whether it can run, and its trace.
#pragma once

#include <vector>

#include "warp_trace.h"

namespace cudasim {

// Events in order of time; those at the front have been replayed.
class EventQueue {
 public:
  bool empty() const { return head_ == size_; }
  size_t length() const { return size_ - head_; }
  const Event &front() const { return events_[head_]; }
  void pop() { ++head_; }
  void clear() { head_ = size_ = 0; }

  void push(const Event &event) {
    if (size_ == capacity_) grow();
    events_[size_++] = event;
  }

  // Frees the room of what has been replayed.
  void compact() {
    memmove(events_, events_ + head_, length() * sizeof(Event));
    size_ -= head_;
    head_ = 0;
  }

 private:
  void grow() {
    capacity_ = capacity_ ? 2 * capacity_ : 256;
    events_ = static_cast<Event *>(realloc(events_, capacity_ * sizeof(Event)));
    if (!events_) abort();
  }

  Event *events_ = nullptr;
  size_t head_ = 0, size_ = 0, capacity_ = 0;
};

// A function that the lane is in, and the block of it that the lane executed last: together with
// `mates`, in the step `step`.
struct Frame {
  unsigned number = 0, branch = 0, mates = 0;
  unsigned code = 0;  // of the block; 0 before the first
  unsigned long long step = 0;
};

enum class LaneState : unsigned char { runnable, waiting, full, finished };

struct Lane {
  LaneState state;
  Fiber *fiber;
  EventQueue events;
  std::vector<Frame> frames;
  unsigned long long position;  // of the block that it executes, in the order of replay

  void start() {
    state = LaneState::runnable;
    events.clear();
    frames.assign(1, Frame());
    set_position();
  }

  void set_position() { position = position_of(frames.back().number); }

  // Those deepest in calls come first, and then blocks by number.
  unsigned long long position_of(unsigned number) const {
    constexpr size_t deepest = 255;
    size_t depth = frames.size() < deepest ? frames.size() : deepest;
    return (unsigned long long)(deepest - depth) << 56 | (unsigned long long)number << 32;
  }

  // More events will come; at least, before the meeting that it waits for has taken place.
  bool goes_on() const { return state != LaneState::finished; }
  bool goes_on_alone() const { return goes_on() && state != LaneState::waiting; }
};

}  // namespace cudasim
