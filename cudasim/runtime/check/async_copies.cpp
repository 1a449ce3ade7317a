#include "async_copies.h"

#include <algorithm>
#include <vector>

#include "address_check.h"
#include "block.h"
#include "device_arena.h"
#include "device_variables.h"
#include "findings.h"
#include "shared_memory.h"
#include "source_line.h"

namespace cudasim {

// A piece of memory that a copy reads or writes.
struct Piece {
  Region *region;  // null if there is none to record it in
  size_t offset, bytes;

  bool overlaps(const Deed &deed) const {
    return region == &deed.region && offset < deed.offset + deed.bytes &&
           deed.offset < offset + bytes;
  }
};

struct AsyncCopy {
  Piece to, from;
  unsigned code;
  size_t batch;  // of those of its thread, from 0
};

// What a thread has submitted and not waited for, in order, and how many batches it has committed.
struct ThreadCopies {
  std::vector<AsyncCopy> in_flight;
  size_t committed = 0;

  bool is_committed(const AsyncCopy &copy) const { return copy.batch < committed; }
};

size_t copies_in_flight;

static ThreadCopies &copies_of(unsigned thread) {
  static auto *threads = new ThreadCopies[max_block_threads];
  return threads[thread];
}

// ---- accesses to what is being copied ------------------------------------------------------

static void report_in_flight(const Deed &deed, const AsyncCopy &copy, bool is_source,
                             unsigned thread) {
  if (!is_new(Fault::async_copy, deed.code)) return;
  bool own = thread == current_thread();
  std::string copier = own ? "this thread" : thread_text(thread);
  std::string missing = copies_of(thread).is_committed(copy) ? "" : "committed and ";
  report(Fault::async_copy, deed.code,
         "race: " + access_text(deed.access) + " of " +
             element_text(deed.region, deed.offset, deed.bytes) +
             " before the asynchronous copy " + (is_source ? "from" : "to") + " it, by " + copier +
             " at " + source_line(copy.code).text() + ", was " + missing + "waited for");
}

struct Found {
  const AsyncCopy *copy;
  unsigned thread;
};

// A copy whose source or destination the access touches.
static Found find_in_flight(const Deed &deed, Piece AsyncCopy::*piece) {
  for (unsigned thread = 0; copies_in_flight && thread < block->threads; ++thread)
    for (const AsyncCopy &copy : copies_of(thread).in_flight)
      if ((copy.*piece).overlaps(deed)) return {&copy, thread};
  return {};
}

// Marks are taken away with the last copy of a destination, but a source may have many copies: its
// mark stays until somebody writes there and finds none.
void check_marked_cell(Cell &cell, const Deed &deed) {
  if (cell.marks & Cell::copied_to) {
    Found found = find_in_flight(deed, &AsyncCopy::to);
    if (found.copy) return report_in_flight(deed, *found.copy, false, found.thread);
    cell.marks &= (unsigned char)~Cell::copied_to;
  }
  if (deed.access == Access::read || !(cell.marks & Cell::copied_from)) return;
  Found found = find_in_flight(deed, &AsyncCopy::from);
  if (found.copy) return report_in_flight(deed, *found.copy, true, found.thread);
  cell.marks &= (unsigned char)~Cell::copied_from;
}

// ---- submission ----------------------------------------------------------------------------

static void report_bad_copy(const std::string &what, unsigned code) {
  if (is_new(Fault::async_copy, code))
    report(Fault::async_copy, code, "bad asynchronous copy: " + what);
}

static bool has_valid_size(size_t bytes, size_t zero_bytes, unsigned code) {
  if (bytes != 4 && bytes != 8 && bytes != 16)
    report_bad_copy("it has " + std::to_string(bytes) + " bytes, not 4, 8 or 16", code);
  else if (zero_bytes > bytes)
    report_bad_copy("it has " + std::to_string(bytes) +
                        " bytes, but more are to be filled with zeros or read",
                    code);
  else
    return true;
  return false;
}

static bool has_valid_places(const void *to, const void *from, size_t bytes, unsigned code) {
  if (!is_shared_address(to))
    report_bad_copy("its destination is not in shared memory", code);
  else if (bytes && is_shared_address(from))
    report_bad_copy("its source is in shared memory, not in global memory", code);
  else
    return true;
  return false;
}

static void check_alignment(const void *p, const char *role, size_t bytes, unsigned code) {
  if (reinterpret_cast<size_t>(p) % bytes == 0 || !is_new(Fault::misaligned, code)) return;
  report(Fault::misaligned, code,
         std::string("misaligned: ") + role + " of an asynchronous copy of " +
             std::to_string(bytes) + " bytes at an address that is no multiple of " +
             std::to_string(bytes));
}

static Piece piece_at(const void *p, size_t bytes) {
  Region *region = is_shared_address(p)   ? shared_region(p)
                   : is_device_address(p) ? device_region(p)
                                          : variable_region(p);
  bool usable = bytes && region && !region->freed && region->holds(p, bytes) &&
                region->kind != RegionKind::constant;
  if (!usable) return {};
  return {region, size_t(static_cast<const char *>(p) - region->begin), bytes};
}

static void mark(const Piece &piece, unsigned char mark) {
  if (!piece.region) return;
  Region::Cells cells = piece.region->cells(piece.offset, piece.bytes);
  for (Cell *cell = cells.begin; cell != cells.end; ++cell) cell->marks |= mark;
}

static void submit(void *to, const void *from, size_t bytes, size_t zero_bytes,
                   const void *caller) {
  unsigned code = code_of(caller);
  size_t copied = bytes - zero_bytes;
  check_alignment(to, "the destination", bytes, code);
  if (copied) check_alignment(from, "the source", bytes, code);
  if (copied) check_access(from, copied, Access::read, caller);
  check_access(to, bytes, Access::write, caller);
  AsyncCopy copy = {piece_at(to, bytes), piece_at(from, copied), code, 0};
  ThreadCopies &own = copies_of(current_thread());
  copy.batch = own.committed;
  mark(copy.to, Cell::copied_to);
  mark(copy.from, Cell::copied_from);
  own.in_flight.push_back(copy);
  ++copies_in_flight;
}

void observe_async_copy(void *to, const void *from, size_t bytes, size_t zero_bytes, bool) {
  const void *caller = __builtin_return_address(0);
  unsigned code = code_of(caller);
  if (!has_valid_size(bytes, zero_bytes, code)) return;
  size_t copied = bytes - zero_bytes;
  if (has_valid_places(to, from, copied, code)) submit(to, from, bytes, zero_bytes, caller);
  memcpy(to, from, copied);
  memset(static_cast<char *>(to) + copied, 0, zero_bytes);
}

// ---- completion ----------------------------------------------------------------------------

// For who comes later, the copy is made where its thread has waited.
static void complete(const AsyncCopy &copy) {
  if (copy.to.region) {
    Region::Cells cells = copy.to.region->cells(copy.to.offset, copy.to.bytes);
    for (Cell *cell = cells.begin; cell != cells.end; ++cell) {
      cell->marks &= (unsigned char)~Cell::copied_to;
      cell->record_write(copy.code);
    }
  }
  if (copy.from.region && !copy.from.region->freed) {
    Region::Cells cells = copy.from.region->cells(copy.from.offset, copy.from.bytes);
    for (Cell *cell = cells.begin; cell != cells.end; ++cell) cell->reads.record(copy.code);
  }
}

void observe_async_commit() { ++copies_of(current_thread()).committed; }

void observe_async_wait(size_t prior) {
  ThreadCopies &own = copies_of(current_thread());
  size_t completed = own.committed > prior ? own.committed - prior : 0;
  std::vector<AsyncCopy> &list = own.in_flight;
  auto rest = std::find_if(list.begin(), list.end(),
                           [&](const AsyncCopy &copy) { return copy.batch >= completed; });
  std::for_each(list.begin(), rest, complete);
  copies_in_flight -= size_t(rest - list.begin());
  list.erase(list.begin(), rest);
}

void finish_async_copies() {
  ThreadCopies &own = copies_of(current_thread());
  for (const AsyncCopy &copy : own.in_flight) {
    if (!own.is_committed(copy))
      report_bad_copy("its thread returns and has never committed it", copy.code);
    complete(copy);
  }
  copies_in_flight -= own.in_flight.size();
  own.in_flight.clear();
  own.committed = 0;
}

}  // namespace cudasim
