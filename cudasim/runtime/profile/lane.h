// One lane of a warp: whether it can run, and its trace.
#pragma once

#include <vector>

#include "warp_trace.h"

namespace cudasim {

// Events in order of time; those at the front have been replayed.
class EventQueue {
 public:
  bool empty() const { return head_ == events_.size(); }
  size_t length() const { return events_.size() - head_; }
  const Event &front() const { return events_[head_]; }
  void push(const Event &event) { events_.push_back(event); }
  void pop() { ++head_; }
  void clear() { events_.clear(), head_ = 0; }

  // Frees the room of what has been replayed.
  void compact() {
    events_.erase(events_.begin(), events_.begin() + long(head_));
    head_ = 0;
  }

 private:
  std::vector<Event> events_;
  size_t head_ = 0;
};

// A function that the lane is in, and the block of it that the lane executed last: together with
// `mates`, in the step `step`.
struct Frame {
  unsigned number = 0, branch = 0, mates = 0;
  unsigned long long step = 0;
};

enum class LaneState : unsigned char { runnable, waiting, full, finished };

struct Lane {
  LaneState state;
  Fiber *fiber;
  EventQueue events;
  std::vector<Frame> frames;

  void start() {
    state = LaneState::runnable;
    events.clear();
    frames.assign(1, Frame());
  }

  // More events may come before any that other lanes wait for.
  bool goes_on() const { return state == LaneState::runnable || state == LaneState::full; }
};

}  // namespace cudasim
