#include "frames.h"

#include <pthread.h>

#include "bookkeeping.h"
#include "coherence.h"
#include "timeline.h"
#include "transitions.h"

namespace cudasim {

// The first linked byte on the stack of this thread, or one before it.
static __thread size_t first_linked = SIZE_MAX;

static size_t find_stack_end() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void *begin;
  size_t bytes;
  pthread_attr_getstack(&attributes, &begin, &bytes);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<size_t>(begin) + bytes;
}

static size_t stack_end() {
  static __thread size_t end;
  if (!end) end = find_stack_end();
  return end;
}

static size_t stack_pointer() { return reinterpret_cast<size_t>(__builtin_frame_address(0)); }

void note_linked_frame(const Link &link) {
  if (in_kernel() || link.host < stack_pointer() || link.host >= stack_end()) return;
  first_linked = std::min(first_linked, link.host);
}

static void forget_frame(size_t frame_end) {
  if (in_kernel()) return;
  Bookkeeping bookkeeping;
  size_t begin = std::min(stack_pointer(), first_linked);
  host_vanished(begin, frame_end - begin);
  std::vector<Link> rest = links_of_host(frame_end, stack_end() - frame_end);
  first_linked = rest.empty() ? SIZE_MAX : rest[0].host;
}

void track_function_exit(const void *frame_end) {
  auto end = reinterpret_cast<size_t>(frame_end);
  if (first_linked < end) forget_frame(end);
}

}  // namespace cudasim
