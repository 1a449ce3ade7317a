#include "busiest_warp.h"

#include <vector>

namespace cudasim {

// What a warp has done since the last barrier.
struct Interval {
  Count work = 0;
  std::vector<WarpCount *> counts;
};

constexpr unsigned max_warps = max_block_threads / warp_lanes;

// Kept to the end, because nothing may be constructed or destroyed outside of functions.
static Interval *intervals() {
  static auto *list = new Interval[max_warps];
  return list;
}

void count_of_warp(unsigned warp, WarpCount &count) {
  ++count.all;
  Interval &interval = intervals()[warp];
  if (!count.of_warp[warp]++) interval.counts.push_back(&count);
  interval.work += count.work;
}

// Of equally busy warps, the first.
static unsigned busiest_warp() {
  unsigned busiest = 0;
  for (unsigned warp = 1; warp < max_warps; ++warp)
    if (intervals()[warp].work > intervals()[busiest].work) busiest = warp;
  return busiest;
}

void end_interval() {
  unsigned busiest = busiest_warp();
  for (unsigned warp = 0; warp < max_warps; ++warp) {
    Interval &interval = intervals()[warp];
    for (WarpCount *count : interval.counts) {
      if (warp == busiest) count->busiest += count->of_warp[warp];
      count->of_warp[warp] = 0;
    }
    interval.counts.clear();
    interval.work = 0;
  }
}

}  // namespace cudasim
