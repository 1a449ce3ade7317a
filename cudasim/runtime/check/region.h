// A piece of memory that kernels may use: an allocation, a shared array, a device variable.
#pragma once

#include <string>

#include "cell.h"

namespace cudasim {

enum class RegionKind { device, managed, shared, dynamic_shared, variable, constant };

class Region {
 public:
  Region(RegionKind kind, char *begin, size_t bytes) : kind(kind), begin(begin), bytes(bytes) {}
  ~Region() { release_cells(); }
  Region(const Region &) = delete;
  Region &operator=(const Region &) = delete;

  bool holds(const void *p, size_t n) const {
    size_t offset = size_t(static_cast<const char *>(p) - begin);
    return offset <= bytes && n <= bytes - offset;
  }

  // The cells of [begin + offset, begin + offset + n), which lies within the region.  Cells
  // start with 8 bytes and are split when a smaller piece is accessed by itself.
  struct Cells {
    Cell *begin, *end;
  };
  Cells cells(size_t offset, size_t n) {
    if (!cells_ || !is_whole_cells(offset, n)) prepare_cells(offset, n);
    return {cells_ + (offset >> shift_), cells_ + ((offset + n + cell_bytes() - 1) >> shift_)};
  }

  // The atomic operations on a cell.  They race with plain accesses, but not with each other, so that
  // they take no writer's place.  Null where there were none in the whole region: few have any.
  Crowd *atomics(const Cell *cell) const { return atomics_ ? atomics_ + (cell - cells_) : nullptr; }
  void prepare_atomics();

  // The first byte of the range without a value, or `n`.  Where structures are kept, a word
  // has a value as soon as a part of it has: the rest may be padding.
  size_t first_uninitialised(size_t offset, size_t n);
  void note_write_size(size_t n) { write_sizes_ |= n < 8 ? unsigned(n) : 8; }
  void set_initialised(size_t offset, size_t n);
  void set_written(size_t offset, size_t n, unsigned code);
  void copy_initialised(size_t offset, Region &from, size_t from_offset, size_t n);

  // Forgets every value and every access.
  void reset();
  void release_cells();

  RegionKind kind;
  char *begin;
  size_t bytes;
  const char *name = nullptr;                  // of a variable
  unsigned allocated_at = 0, freed_at = 0;     // code addresses
  unsigned block_seen = 0;                     // of shared memory: the last block that used it
  bool freed = false;
  int device = 0;                              // of device memory
  bool kept = false;                           // to the end, on purpose

 private:
  size_t cell_count() const { return (bytes + cell_bytes() - 1) >> shift_; }
  size_t cell_bytes() const { return size_t(1) << shift_; }
  bool is_whole_cells(size_t offset, size_t n) const {
    return ((offset | (offset + n == bytes ? 0 : n)) & (cell_bytes() - 1)) == 0;
  }
  void prepare_cells(size_t offset, size_t n);
  void split(unsigned shift);

  // As many bytes as surely have a value together.
  size_t word_bytes() const;

  unsigned shift_ = 3;
  unsigned write_sizes_ = 0;  // the sizes of all writes, each a power of two
  Cell *cells_ = nullptr;
  Crowd *atomics_ = nullptr;
};

}  // namespace cudasim
