// Where things are counted: for each kernel, a row for every instruction that does something.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <unordered_map>

#include "address_space.h"
#include "busiest_warp.h"
#include "counters.h"
#include "request.h"

namespace cudasim {

// Counts of one instruction, known by its code address, or of one barrier, known by its place.
struct Row {
  unsigned code;
  Place place;
  Counters counters;
  WarpCount accesses;
};

// From one basic block of a function to the next; each is known by the code address that marks it.
// The first block follows 0.
struct Step {
  unsigned from, to;

  bool operator==(const Step &other) const { return from == other.from && to == other.to; }
};

struct StepHash {
  size_t operator()(const Step &step) const { return size_t(step.from) << 32 | step.to; }
};

struct LaunchShape {
  dim3 grid, block;
  size_t dynamic_shared;
};

// What a multiprocessor holds of a launch at the same time.
struct Residency {
  unsigned registers;    // of a thread; 0 if they are not known
  size_t static_shared;  // of a block
  Count blocks;
  Count l1_bytes;  // that are left for the cache
};

struct KernelProfile {
  std::string name;
  const void *address;  // null if the launch does not know it
  Site site;
  Count launches = 0, blocks = 0, threads = 0, warps = 0;
  Count blocks_with_work = 0;  // a thread of which accessed global or shared memory
  LaunchShape first_shape = {};
  Residency first_residency = {};
  std::deque<Row> rows;
  std::unordered_map<unsigned, Row *> row_of_code;
  std::map<std::pair<std::string, int>, Row *> row_of_place;
  std::unordered_map<Step, WarpCount, StepHash> steps;
};

// All kernels that were launched, in the order of their first launch.
const std::deque<KernelProfile> &kernel_profiles();

// The counts of an instruction of the kernel that runs.
Counters &counters_at(unsigned code);

// Counts that a warp of the block goes from one basic block of the kernel that runs to another.
void count_step(unsigned warp, unsigned from, unsigned to);

// Counts that a warp of the block accesses memory.
void count_access(unsigned warp, unsigned code);

// Counts a request of a warp of the block to global memory, and what it makes of the caches.
void count_traffic(unsigned warp, const Request &request, Space space, unsigned code);

// The block that runs accesses global or shared memory.
void note_work();

// Counts what is still to be written back to device memory.
void finish_traffic();

}  // namespace cudasim
