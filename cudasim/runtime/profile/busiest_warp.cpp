#include "busiest_warp.h"

#include <vector>

namespace cudasim {

// What a warp has done since the last barrier.
struct Interval {
  Count work = 0;
  std::vector<WarpCount *> counts;
};

static Interval intervals[max_block_threads / warp_lanes];

void count_of_warp(unsigned warp, WarpCount &count) {
  ++count.all;
  if (!count.of_warp[warp]++) intervals[warp].counts.push_back(&count);
  intervals[warp].work += count.work;
}

// Of equally busy warps, the first.
void end_interval() {
  const Interval *busiest = intervals;
  for (const Interval &interval : intervals)
    if (interval.work > busiest->work) busiest = &interval;
  for (Interval &interval : intervals) {
    for (WarpCount *count : interval.counts) {
      Count &of_warp = count->of_warp[&interval - intervals];
      if (&interval == busiest) count->busiest += of_warp;
      of_warp = 0;
    }
    interval.counts.clear();
    interval.work = 0;
  }
}

}  // namespace cudasim
