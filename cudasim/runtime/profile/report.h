// The counts, gathered for those who read them.
#pragma once

#include <string>
#include <vector>

#include "block_code.h"
#include "copy_profile.h"
#include "kernel_profile.h"
#include "source_line.h"

namespace cudasim {

struct LineReport {
  SourceLine place;
  Counters counters = {};
  Count executions = 0;
  Operations operations = {};
  Count work = 0, busiest_work = 0;  // of all warps, and of the busiest ones
  int innermost_loop = 0;            // the line of its condition
};

// Loops whose condition is on the same line.
struct LoopReport {
  SourceLine place;
  Count entries = 0;  // by warps, or by their parts
  Count iterations = 0;
};

struct KernelReport {
  const KernelProfile *kernel;
  Counters counters = {};
  std::vector<LineReport> lines;  // in order of file and line
  std::vector<LoopReport> loops;  // in order of file and line
};

struct CopyReport {
  Way way;
  SourceLine place;
  CopyCount count;
};

struct Report {
  std::vector<KernelReport> kernels;
  std::vector<CopyReport> copies;
  CopyCount copied[ways] = {};
  Counters total = {};
};

Report make_report();

void write_json(FILE *file, const Report &report);
void write_table(FILE *file, const Report &report);

}  // namespace cudasim
