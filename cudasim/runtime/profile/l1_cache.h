// A model of the L1 cache of one multiprocessor: lines of some sectors, which are filled one by one, and
// the least recently used line goes first.
//
// What NVIDIA documents: loads are kept in L1 by default (PTX ISA, "Cache Operators", ld.ca; Volta
// Tuning Guide, "L1 Cache"), global memory is coherent in L2 only, so that stores and atomic
// operations always go there (same section), and nothing survives a launch, because the driver
// invalidates L1 between dependent grids (same section, ld.ca).  What it does not document: that from Volta on,
// a store updates a sector that L1 has, where older GPUs discarded it.  So has Accel-Sim it, which was fitted to
// a V100 (Khairy et al., ISCA 2020; `-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L`: sectors, least recently used,
// write-through).  There a store also brings its sector in; here it does not.  Any line may be in any place,
// and a line is taken as soon as it is asked for.
#pragma once

#include <vector>

namespace cudasim {

class L1Cache {
 public:
  // Empties it, if the launch of this number has not used it before.
  void begin_launch(unsigned long long launch, size_t lines, unsigned sectors_per_line);

  // Whether the sector is there.  It is afterwards.
  bool read(unsigned long long sector);

  // An atomic operation changed the sector in L2.
  void forget(unsigned long long sector);

 private:
  typedef unsigned Index;
  static constexpr Index none = ~0u;

  // In a list by age, and in one of the lines with the same hash value.
  struct Line {
    unsigned long long number;
    unsigned sectors;  // a bit for each that is there
    Index older, newer, next_of_hash;
  };

  Index &hash_list(unsigned long long number) {
    return hash_lists_[(number * 0x9e3779b97f4a7c15ull >> 32) & (hash_lists_.size() - 1)];
  }
  void empty(size_t lines);
  Index find(unsigned long long number);
  Index take(unsigned long long number);
  void leave_hash_list(Index line);
  void leave_age_list(Index line);
  void become_newest(Index line);

  unsigned long long launch_ = 0;
  unsigned sectors_per_line_ = 1;
  size_t capacity_ = 0;
  Index oldest_ = none, newest_ = none;
  std::vector<Line> lines_;         // those in use
  std::vector<Index> hash_lists_;  // a power of two
};

}  // namespace cudasim
