#include "region.h"

#include <algorithm>

namespace cudasim {

template <class Record>
static Record *new_records(size_t count) {
  void *memory = calloc(count, sizeof(Record));
  if (memory) return static_cast<Record *>(memory);
  fprintf(stderr, "cudasim: no memory for the checker's records\n");
  abort();
}

static unsigned shift_for(size_t offset, size_t n) {
  size_t both = offset | n;
  return both % 8 == 0 ? 3 : both % 4 == 0 ? 2 : 0;
}

// Each record becomes 1 << halvings of them.
template <class Record>
static void split_records(Record *&records, size_t new_count, unsigned halvings) {
  if (!records) return;
  Record *old = records;
  records = new_records<Record>(new_count);
  for (size_t i = 0; i < new_count; ++i) records[i] = old[i >> halvings];
  free(old);
}

void Region::split(unsigned shift) {
  unsigned halvings = shift_ - shift;
  shift_ = shift;
  split_records(cells_, cell_count(), halvings);
  split_records(atomics_, cell_count(), halvings);
}

void Region::prepare_atomics() {
  if (!atomics_) atomics_ = new_records<Crowd>(cell_count());
}

void Region::prepare_cells(size_t offset, size_t n) {
  bool to_the_end = offset + n == bytes;
  unsigned shift = shift_for(offset, to_the_end ? 0 : n);
  if (shift < shift_) split(shift);
  if (!cells_) cells_ = new_records<Cell>(cell_count());
}

// Writes of several sizes are those of a structure's members.
size_t Region::word_bytes() const {
  bool one_size = (write_sizes_ & (write_sizes_ - 1)) == 0;
  size_t largest = size_t(1) << (31 - __builtin_clz(write_sizes_ | 1));
  return one_size || largest < cell_bytes() ? cell_bytes() : largest;
}

static bool any_initialised(const Cell *begin, const Cell *end) {
  for (const Cell *cell = begin; cell < end; ++cell)
    if (cell->initialised) return true;
  return false;
}

size_t Region::first_uninitialised(size_t offset, size_t n) {
  Cells range = cells(offset, n);
  size_t step = word_bytes() >> shift_;
  for (Cell *cell = range.begin; cell < range.end;) {
    Cell *word_end = cell + step - size_t(cell - cells_) % step;
    if (!any_initialised(cell, std::min(word_end, range.end)))
      return (size_t(cell - cells_) << shift_) - offset;
    cell = word_end;
  }
  return n;
}

void Region::set_initialised(size_t offset, size_t n) {
  Cells range = cells(offset, n);
  for (Cell *cell = range.begin; cell != range.end; ++cell) cell->initialised = true;
}

void Region::set_written(size_t offset, size_t n, unsigned code) {
  Cells range = cells(offset, n);
  for (Cell *cell = range.begin; cell != range.end; ++cell) cell->record_write(code);
}

void Region::copy_initialised(size_t offset, Region &from, size_t from_offset, size_t n) {
  unsigned shift = shift_for(offset | from_offset, n);
  if (shift < shift_) split(shift);
  if (shift < from.shift_) from.split(shift);
  if (shift_ < from.shift_) from.split(shift_);
  if (from.shift_ < shift_) split(from.shift_);
  Cells to_cells = cells(offset, n), from_cells = from.cells(from_offset, n);
  for (Cell *to = to_cells.begin; to != to_cells.end; ++to)
    to->initialised = from_cells.begin[to - to_cells.begin].initialised;
}

void Region::reset() {
  if (cells_) memset(static_cast<void *>(cells_), 0, cell_count() * sizeof(Cell));
  if (atomics_) memset(static_cast<void *>(atomics_), 0, cell_count() * sizeof(Crowd));
}

void Region::release_cells() {
  free(cells_);
  free(atomics_);
  cells_ = nullptr;
  atomics_ = nullptr;
}

}  // namespace cudasim
