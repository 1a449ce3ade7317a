// First in, first out; a fiber stands in one queue at a time.
#pragma once

#include "fiber.h"

namespace cudasim {

struct FiberQueue {
  Fiber *first = nullptr, *last = nullptr;
  unsigned length = 0;

  bool empty() const { return !first; }

  void push(Fiber *fiber) {
    fiber->next = nullptr;
    (first ? last->next : first) = fiber;
    last = fiber;
    ++length;
  }

  Fiber *pop() {
    Fiber *fiber = first;
    first = fiber->next;
    --length;
    return fiber;
  }
};

}  // namespace cudasim
