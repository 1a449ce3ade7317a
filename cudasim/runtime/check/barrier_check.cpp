#include "barrier_check.h"

#include <bitset>

#include "block.h"
#include "findings.h"
#include "observer.h"
#include "source_line.h"

namespace cudasim {

static std::string place_text(const Place &place) {
  return short_path(place.file) + ":" + std::to_string(place.line);
}

static unsigned first_absent(const Block &block) {
  std::bitset<max_block_threads> waiting;
  for (const Fiber *f = block.at_barrier.first; f; f = f->next) waiting.set(f->thread);
  unsigned thread = 0;
  while (waiting.test(thread)) ++thread;
  return thread;
}

static void report_exited(const Block &block, const Fiber &waiting) {
  report_block(Fault::barrier, place_text(waiting.barrier),
               "divergent barrier: " + thread_text(waiting.thread) + " and " +
                   std::to_string(block.at_barrier.length - 1) + " more wait here, but " +
                   thread_text(first_absent(block)) + " and " + std::to_string(block.finished - 1) +
                   " more have returned");
}

static void report_different(const Fiber &one, const Fiber &other) {
  report_block(Fault::barrier, place_text(one.barrier),
               "divergent barrier: " + thread_text(one.thread) + " waits here, but " +
                thread_text(other.thread) + " waits at " + place_text(other.barrier));
}

void check_barrier(const Block &block) {
  const Fiber &first = *block.at_barrier.first;
  if (block.finished) report_exited(block, first);
  for (const Fiber *f = first.next; f; f = f->next)
    if (!same_place(f->barrier, first.barrier)) return report_different(first, *f);
}

void observe_stuck_rendezvous(unsigned, const Warp &warp) {
  unsigned lane = unsigned(__builtin_ctz(warp.arrived));
  const Fiber &fiber = *warp.fibers[lane];
  report_block(Fault::barrier, place_text(fiber.barrier),
               "divergent warp: " + thread_text(fiber.thread) +
                " waits here for lanes that its mask names and that never come");
}

void observe_foreign_mask(unsigned mask, const Place &place) {
  char digits[16];
  snprintf(digits, sizeof digits, "0x%x", mask);
  report_at(Fault::barrier, place_text(place),
            std::string("divergent warp: the mask ") + digits + " does not name the lane, " +
                std::to_string(lane_number()) + ", that gives it");
}

}  // namespace cudasim
