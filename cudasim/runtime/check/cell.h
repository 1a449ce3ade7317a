// The checker's memory of a few bytes: whether they have a value, who wrote them last, and
// two of the reads since.
#pragma once

#include "timeline.h"

namespace cudasim {

enum class Access : unsigned char { read, write, atomic };

struct Cell {
  unsigned write_time, read_time, other_read_time;
  unsigned write_code, read_code, other_read_code;
  unsigned short writer, reader, other_reader;
  bool initialised, atomic_write;

  Moment last_write() const { return {write_time, write_code, writer}; }
  Moment last_read() const { return {read_time, read_code, reader}; }
  Moment other_read() const { return {other_read_time, other_read_code, other_reader}; }

  void record_write(bool atomic, unsigned code) {
    write_time = current_time();
    write_code = code;
    writer = (unsigned short)current_thread();
    atomic_write = atomic;
    initialised = true;
  }

  // Two reads are enough to find every race of a block with itself and with others: the
  // last, and one of another thread, where a read by another block is never given up for
  // one by this block.
  void record_read(unsigned code) {
    bool last_is_foreign = !is_in_block(read_time);
    bool other_is_foreign = is_in_launch(other_read_time) && !is_in_block(other_read_time);
    if (is_in_launch(read_time) && (last_is_foreign || reader != current_thread()) &&
        (last_is_foreign || !other_is_foreign)) {
      other_read_time = read_time;
      other_read_code = read_code;
      other_reader = reader;
    }
    read_time = current_time();
    read_code = code;
    reader = (unsigned short)current_thread();
  }
};
static_assert(sizeof(Cell) == 32, "one cell per 8 bytes should stay affordable");

}  // namespace cudasim
