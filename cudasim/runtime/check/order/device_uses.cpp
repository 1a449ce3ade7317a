#include "order/device_uses.h"

#include "device_arena.h"
#include "device_variables.h"
#include "findings.h"
#include "order/operations.h"
#include "race_check.h"

namespace cudasim {

// Constants are not recorded in kernels, so there is nothing to compare with.
static Region *recorded_region(const void *p) {
  Region *region = is_device_address(p) ? device_region(p) : variable_region(p);
  return region && region->kind != RegionKind::constant ? region : nullptr;
}

static size_t offset_in(const Region &region, const void *p) {
  return size_t(static_cast<const char *>(p) - region.begin);
}

static void check_order(Region &region, size_t offset, size_t bytes, Access access, unsigned code) {
  if (!has_unordered_operations()) return;
  Region::Cells cells = region.cells(offset, bytes);
  size_t per_cell = bytes / size_t(cells.end - cells.begin);
  for (Cell *cell = cells.begin; cell != cells.end; ++cell) {
    size_t at = offset + size_t(cell - cells.begin) * per_cell;
    check_race(*cell, region.atomics(cell), {region, at, per_cell, access, code});
  }
}

static void remember(Region &region, size_t offset, size_t bytes, Access access, unsigned code) {
  Region::Cells cells = region.cells(offset, bytes);
  for (Cell *cell = cells.begin; cell != cells.end; ++cell) {
    if (access == Access::read) cell->reads.record(code);
    else cell->note_writer(code);
  }
}

static void remember_rows(const void *begin, size_t pitch, size_t width, size_t height,
                          Access access, unsigned code) {
  Region *region = recorded_region(begin);
  for (size_t row = 0; region && row < height; ++row)
    remember(*region, offset_in(*region, begin) + row * pitch, width, access, code);
}

// A copy out of bounds is reported when it is made.
static void check_rows(const void *begin, size_t pitch, size_t width, size_t height, Access access,
                       unsigned code) {
  Region *region = has_unordered_operations() ? recorded_region(begin) : nullptr;
  if (!region || region->freed || !region->holds(begin, pitch * (height - 1) + width)) return;
  for (size_t row = 0; row < height; ++row)
    check_order(*region, offset_in(*region, begin) + row * pitch, width, access, code);
}

void check_copy_order(const Copy &copy, unsigned code) {
  check_rows(copy.from, copy.from_pitch, copy.width, copy.height, Access::read, code);
  check_rows(copy.to, copy.to_pitch, copy.width, copy.height, Access::write, code);
}

void check_fill_order(const Fill &fill, unsigned code) {
  check_rows(fill.to, fill.pitch, fill.width, fill.height, Access::write, code);
}

void remember_copy(const Copy &copy, unsigned code) {
  remember_rows(copy.from, copy.from_pitch, copy.width, copy.height, Access::read, code);
  if (recorded_region(copy.from))
    remember_rows(copy.to, copy.to_pitch, copy.width, copy.height, Access::write, code);
}

void note_allocation(void *memory, unsigned code) {
  Region *region = device_region(memory);
  if (region && !region->freed) remember(*region, 0, region->bytes, Access::write, code);
}

void note_free_in_stream(void *memory, unsigned code) {
  Region *region = device_region(memory);
  if (region && !region->freed && region->begin == memory)
    check_order(*region, 0, region->bytes, Access::write, code);
}

// ---- managed memory ------------------------------------------------------------------------

static bool is_unordered(const Moment &moment) { return moment.time && !is_ordered_access(moment.time); }

// An access that the host has not waited for and that may not be at the same time as this one.
static const char *unordered_verb(const Cell &cell, const Crowd *atomics, Access access, Moment &found) {
  auto is_found = [&](const Moment &moment) { return is_unordered(found = moment); };
  if (is_found(cell.last_write())) return "write";
  if (atomics && (is_found(atomics->last()) || is_found(atomics->other()))) return "atomic update";
  if (access == Access::read) return nullptr;
  return is_found(cell.reads.last()) || is_found(cell.reads.other()) ? "read" : nullptr;
}

void check_managed_use(Region &region, size_t offset, size_t bytes, Access access, unsigned code) {
  if (!is_host_behind()) return;
  Region::Cells cells = region.cells(offset, bytes);
  for (Cell *cell = cells.begin; cell != cells.end; ++cell) {
    Moment other;
    const char *verb = unordered_verb(*cell, region.atomics(cell), access, other);
    if (!verb || !is_new(Fault::stream_race, code)) continue;
    report(Fault::stream_race, code,
           "race between streams: " + access_text(access) + " of " + element_text(region, offset, bytes) +
               " and " + verb + " by " + operation_text_at(other.time) +
               ", and the host has not waited for it");
  }
}

}  // namespace cudasim
