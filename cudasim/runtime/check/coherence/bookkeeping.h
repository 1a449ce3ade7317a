// Held while states and links change.  Memory that is allocated and freed meanwhile is the checker's own.
#pragma once

#include "turn.h"

namespace cudasim {

class Bookkeeping {
 public:
  Bookkeeping() { ++depth_; }
  ~Bookkeeping() { --depth_; }

  static bool is_going_on() { return depth_; }

 private:
  Turn turn_;
  static __thread unsigned depth_;
};

}  // namespace cudasim
