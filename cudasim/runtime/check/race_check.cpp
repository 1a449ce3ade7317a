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

static bool races(const Moment &other) { return is_concurrent(other.time, other.thread); }

void compare_accesses(const Cell &cell, const Deed &deed) {
  bool atomics = deed.access == Access::atomic && cell.atomic_write;
  if (!atomics && races(cell.last_write()))
    return report_race(deed, cell.atomic_write ? "atomic update" : "write", cell.last_write());
  if (deed.access == Access::read) return;
  if (races(cell.last_read())) report_race(deed, "read", cell.last_read());
  else if (races(cell.other_read())) report_race(deed, "read", cell.other_read());
}

}  // namespace cudasim
