#include "race_check.h"

#include "findings.h"
#include "order/operations.h"
#include "order/streams.h"
#include "source_line.h"

namespace cudasim {

static std::string other_text(const Moment &other) {
  bool here = is_in_block(other.time);
  return (here ? "" : block_text(block_at(other.time)) + " ") + thread_text(other.thread) +
         " at " + source_line(other.code).text();
}

static std::string earlier_text(const Moment &other) {
  std::string text = operation_text_at(other.time);
  bool in_kernel = text.compare(0, 6, "kernel") == 0;
  return (in_kernel ? "at " + source_line(other.code).text() + " " : "") + "by " + text;
}

static void report_stream_race(const Deed &deed, const char *other_verb, const Moment &other) {
  if (!is_new(Fault::stream_race, deed.code)) return;
  const Operation &own = *current_operation();
  report(Fault::stream_race, deed.code,
         "race between streams: " + access_text(deed.access) + " of " +
             element_text(deed.region, deed.offset, deed.bytes) + " in " + stream_text(own.stream) +
             " and " + other_verb + " " + earlier_text(other) + ", with nothing to order them");
}

static void report_race(const Deed &deed, const char *other_verb, const Moment &other) {
  if (!is_new(Fault::race, deed.code)) return;
  report(Fault::race, deed.code,
         "race: " + access_text(deed.access) + " of " +
             element_text(deed.region, deed.offset, deed.bytes) + " and " + other_verb + " by " +
             other_text(other) +
             (is_in_block(other.time) ? ", with no barrier in between"
                                      : ", in another block of the same launch"));
}

// Whether nothing orders that moment; tells it then.
static bool races_with(const Moment &other, const char *verb, const Deed &deed) {
  if (!is_concurrent(other.time, other.thread)) return false;
  if (is_in_launch(other.time)) report_race(deed, verb, other);
  else report_stream_race(deed, verb, other);
  return true;
}

static bool races_with(const Crowd &others, const char *verb, const Deed &deed) {
  return races_with(others.last(), verb, deed) || races_with(others.other(), verb, deed);
}

// Atomic operations of different blocks, one of which is atomic for its own block alone.
static bool scope_races(const Moment &other, const Deed &deed) {
  bool narrow = deed.access == Access::block_atomic || other.block_scope;
  if (!narrow || is_in_block(other.time)) return false;
  const char *verb = other.block_scope ? "atomic update of block scope" : "atomic update";
  return races_with(other, verb, deed);
}

static bool scopes_race(const Crowd &atomics, const Deed &deed) {
  return scope_races(atomics.last(), deed) || scope_races(atomics.other(), deed);
}

void compare_accesses(const Cell &cell, const Crowd *atomics, const Deed &deed) {
  if (races_with(cell.last_write(), "write", deed)) return;
  if (atomics && !is_atomic(deed.access) && races_with(*atomics, "atomic update", deed)) return;
  if (atomics && is_atomic(deed.access) && scopes_race(*atomics, deed)) return;
  if (deed.access != Access::read) races_with(cell.reads, "read", deed);
}

}  // namespace cudasim
