// The checker's memory of a few bytes: whether they have a value, who wrote them last, and who
// has read them since.
#pragma once

#include "crowd.h"

namespace cudasim {

enum class Access : unsigned char { read, write, atomic, block_atomic };

inline bool is_atomic(Access access) { return access >= Access::atomic; }

struct Cell {
  // Asynchronous copies may be reading or writing it.
  enum Marks : unsigned char { copied_from = 1, copied_to = 2 };

  unsigned write_time, write_code;
  unsigned short writer;
  bool initialised;
  unsigned char marks;
  Crowd reads;

  // One write is enough: either it was ordered after the one before, and so is what comes after
  // it, or the two were a race.
  Moment last_write() const { return {write_time, write_code, writer}; }

  void note_writer(unsigned code) {
    write_time = current_time();
    write_code = code;
    writer = (unsigned short)current_thread();
  }
  void record_write(unsigned code) {
    note_writer(code);
    initialised = true;
  }
};
static_assert(sizeof(Cell) == 32, "one cell per 8 bytes should stay affordable");

}  // namespace cudasim
