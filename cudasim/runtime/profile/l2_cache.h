// A model of the L2 cache: lines of some sectors, least recently used first out, written back
// when they leave.  What misses it moves over the memory bus, a sector at a time.
#pragma once

#include <vector>

#include "counters.h"
#include "device_model.h"

namespace cudasim {

class L2Cache {
 public:
  explicit L2Cache(const CacheModel &model);

  void read(unsigned long long sector, Counters &counters);

  // A sector of which only a part is ever written is read from memory when it leaves.
  void write(unsigned long long sector, unsigned mask, Counters &counters);

  // Something else than a kernel reads or writes sectors [begin, end) in memory.
  void forget(unsigned long long begin, unsigned long long end);

  void write_back_all();

 private:
  struct Sector {
    unsigned written;  // a bit for each byte
    bool valid;        // the bytes that are not written have their values too
    Counters *writer;
  };
  struct Line {
    unsigned long long tag;  // its number + 1, or 0
    unsigned long long used;
  };

  Line *set_of(unsigned long long line);
  Sector *sectors_of(const Line &line) {
    return &sectors_[size_t(&line - lines_.data()) * sectors_per_line_];
  }
  Line *find(unsigned long long line);
  Sector &sector(unsigned long long number);
  void fetch(Sector &sector, Counters &counters);
  void evict(Line &line);

  unsigned long long sectors_per_line_, sets_, ways_, clock_ = 0;
  std::vector<Line> lines_;
  std::vector<Sector> sectors_;  // of the first line, then of the second, and so on
};

// Each device has one.
L2Cache &l2_cache(int device);

}  // namespace cudasim
