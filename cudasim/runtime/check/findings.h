// What the checker tells: one line per fault and place, and the exit status.
#pragma once

#include <string>

#include "region.h"
#include "timeline.h"

namespace cudasim {

enum class Fault {
  race,
  uninitialised,
  out_of_bounds,
  misaligned,
  index,
  use_after_free,
  host_pointer,
  device_pointer,
  write_to_constant,
  barrier,
  async_copy,
  stream_race,
  copy,
  free,
  leak,
  launch,
  stale,
  other_device,
};

// Whether a fault of this kind from this code is new: only the first is told.
bool is_new(Fault fault, unsigned code);

// Prints the finding with the line of `code`, and inside a kernel with the thread.
void report(Fault fault, unsigned code, const std::string &what);

// For a fault whose line is known without a code address.
void report_at(Fault fault, const std::string &place, const std::string &what);

// For a fault of a block as a whole.
void report_block(Fault fault, const std::string &place, const std::string &what);

// For a kernel that cannot go on: ends the program.  The place may be empty.
[[noreturn]] void end_with_finding(const std::string &place, const std::string &why);

// `thread (3,0,0)`, and `block (0,1,0) thread (3,0,0)`.
std::string thread_text(unsigned thread);
std::string block_text(unsigned long long block);

// `read`, `write`, `atomic update`
std::string access_text(Access access);

// `'d_A' (allocated at a.cu:12)`, `shared 'tile'`
std::string region_text(const Region &region);

// `element 12 of 'd_A' (allocated at a.cu:12)`
std::string element_text(const Region &region, size_t offset, size_t bytes);

}  // namespace cudasim
