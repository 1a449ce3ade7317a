#include "race_check.h"

#include "findings.h"
#include "source_line.h"

namespace cudasim {

static std::string other_text(const Moment &other) {
  bool here = is_in_block(other.time);
  return (here ? "" : block_text(block_at(other.time)) + " ") + thread_text(other.thread) +
         " at " + source_line(other.code).text();
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
  report_race(deed, verb, other);
  return true;
}

static bool races_with(const Crowd &others, const char *verb, const Deed &deed) {
  return races_with(others.last(), verb, deed) || races_with(others.other(), verb, deed);
}

void compare_accesses(const Cell &cell, const Crowd *atomics, const Deed &deed) {
  if (races_with(cell.last_write(), "write", deed)) return;
  if (atomics && deed.access != Access::atomic && races_with(*atomics, "atomic update", deed))
    return;
  if (deed.access != Access::read) races_with(cell.reads, "read", deed);
}

}  // namespace cudasim
