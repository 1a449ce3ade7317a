#include "address_check.h"

#include <algorithm>

#include "async_copies.h"
#include "block.h"
#include "coherence.h"
#include "device_arena.h"
#include "device_variables.h"
#include "devices.h"
#include "findings.h"
#include "order/device_uses.h"
#include "order/host_uses.h"
#include "pinned_memory.h"
#include "race_check.h"
#include "shared_memory.h"
#include "source_line.h"
#include "symbols.h"
#include "turn.h"

namespace cudasim {

// ---- inside a region -----------------------------------------------------------------------

static void check_initialised(Region &region, size_t offset, size_t bytes, unsigned code) {
  size_t first = region.first_uninitialised(offset, bytes);
  if (first == bytes || !is_new(Fault::uninitialised, code)) return;
  report(Fault::uninitialised, code,
         "read of " + element_text(region, offset, bytes) + ", which has no value yet");
}

static bool is_written(Access access) { return access != Access::read; }

static void record(Cell &cell, Crowd *atomics, Access access, unsigned code) {
  if (access == Access::read) return cell.reads.record(code);
  if (access == Access::write) return cell.record_write(code);
  atomics->record(code, access == Access::block_atomic);
  cell.initialised = true;
}

static void check_cells(Region &region, size_t offset, size_t bytes, Access access,
                        unsigned code) {
  if (region.kind == RegionKind::constant) return;
  if (is_written(access)) region.note_write_size(bytes);
  Region::Cells cells = region.cells(offset, bytes);
  if (is_atomic(access)) region.prepare_atomics();
  for (Cell *cell = cells.begin; cell != cells.end; ++cell) {
    if (!cell->initialised && access != Access::write)
      check_initialised(region, offset, bytes, code);
    Crowd *atomics = region.atomics(cell);
    Deed deed = {region, offset, bytes, access, code};
    if (cell->marks) check_marked_cell(*cell, deed);
    check_race(*cell, atomics, deed);
    record(*cell, atomics, access, code);
  }
}

// ---- outside of it -------------------------------------------------------------------------

static std::string distance_text(const Region &region, const char *p, size_t bytes) {
  if (p < region.begin) return std::to_string(region.begin - p) + " bytes before the start of ";
  size_t offset = size_t(p - region.begin);
  std::string size = std::to_string(region.bytes) + " bytes";
  std::string text = std::to_string(offset + bytes - region.bytes) + " bytes past the end of ";
  if (bytes && offset % bytes == 0)
    text = "element " + std::to_string(offset / bytes) + " of " +
           std::to_string(region.bytes / bytes) + ", " + text;
  return text;
}

static void report_out_of_bounds(const Region &region, const char *p, size_t bytes, Access access,
                                 unsigned code) {
  if (!is_new(Fault::out_of_bounds, code)) return;
  report(Fault::out_of_bounds, code,
         "out of bounds: " + access_text(access) + " of " + std::to_string(bytes) +
             " bytes, " + distance_text(region, p, bytes) + region_text(region));
}

static void report_freed(const Region &region, Access access, unsigned code) {
  if (!is_new(Fault::use_after_free, code)) return;
  report(Fault::use_after_free, code,
         "use after free: " + access_text(access) + " of " + region_text(region) +
             ", freed at " + source_line(region.freed_at).text());
}

static void report_constant(const Region &region, unsigned code) {
  if (!is_new(Fault::write_to_constant, code)) return;
  report(Fault::write_to_constant, code, "write to " + region_text(region));
}

static std::string owner_text(const Region &region) {
  return region_text(region) + ", which is memory of device " + std::to_string(region.device);
}

static void report_other_device(const Region &region, Access access, unsigned code) {
  if (!is_new(Fault::other_device, code)) return;
  report(Fault::other_device, code,
         "bad pointer: " + access_text(access) + " of " + owner_text(region) + ", on device " +
             std::to_string(current_launch()->device) + " without cudaDeviceEnablePeerAccess");
}

// ---- which memory --------------------------------------------------------------------------

static bool is_out_of_reach(const Region &region) {
  return region.kind == RegionKind::device && !may_access(current_launch()->device, region.device);
}

static void check_region(Region *region, const void *address, size_t bytes, Access access,
                         unsigned code) {
  auto p = static_cast<const char *>(address);
  if (region->freed) report_freed(*region, access, code);
  else if (region->device != current_launch()->device && is_out_of_reach(*region))
    report_other_device(*region, access, code);
  else if (!region->holds(p, bytes)) report_out_of_bounds(*region, p, bytes, access, code);
  else if (region->kind == RegionKind::constant && is_written(access))
    report_constant(*region, code);
  else {
    check_cells(*region, size_t(p - region->begin), bytes, access, code);
    track_kernel_access(*region, size_t(p - region->begin), bytes, access, code);
  }
}

static bool is_own_stack(const char *p) {
  const char *stack = block->current->stack;
  return p >= stack && p < stack + fiber_stack_bytes;
}

static bool is_host_global(const char *p) {
  const Image &image = program_image();
  return p >= image.writable_begin && p < image.writable_end;
}

static bool is_program_constant(const char *p) {
  const Image &image = program_image();
  return p >= image.begin && p < image.end && !is_host_global(p);
}

static std::string foreign_memory_text(const char *p) {
  if (p < reinterpret_cast<const char *>(4096)) return "a null pointer";
  if (is_device_address(p)) return "an address that no allocation is near";
  if (is_host_global(p)) return "a host variable";
  return "host memory";
}

static void report_foreign(const char *p, Access access, unsigned code) {
  if (!is_new(Fault::host_pointer, code)) return;
  report(Fault::host_pointer, code,
         "bad pointer: " + access_text(access) + " through " + foreign_memory_text(p));
}

static void check_pinned(const char *p, size_t bytes, Access access, const void *caller) {
  add_host_use(*current_operation(), p, bytes, access, code_of(caller));
  track_host_access(p, bytes, access, caller);
}

static void check_in_kernel(const char *p, size_t bytes, Access access, const void *caller) {
  if (is_own_stack(p)) return;
  unsigned code = code_of(caller);
  Region *region = nullptr;
  if (is_shared_address(p)) {
    region = shared_region(p);
    if (!region) return;
  } else {
    region = is_device_address(p) ? device_region(p) : variable_region(p);
  }
  if (region) check_region(region, p, bytes, access, code);
  else if (is_pinned(p)) check_pinned(p, bytes, access, caller);
  else if (!is_program_constant(p)) report_foreign(p, access, code);
}

// ---- host code -----------------------------------------------------------------------------

static std::string device_memory_text(const Region *region, const void *address) {
  if (!region) return "device memory";
  auto p = static_cast<const char *>(address);
  return region->holds(p, 1) ? region_text(*region) : "device memory near " + region_text(*region);
}

void report_host_access(const void *address, const void *caller) {
  unsigned code = caller ? code_of(caller) : 0;
  if (!is_new(Fault::device_pointer, code)) return;
  report(Fault::device_pointer, code,
         "bad pointer: the host accesses " +
             device_memory_text(device_region(address), address) + " directly");
}

static void check_on_host(const char *p, size_t bytes, Access access, const void *caller) {
  if (!is_device_address(p)) {
    check_host_use(p, bytes, access, caller);
    return track_host_access(p, bytes, access, caller);
  }
  Turn turn;
  Region *region = device_region(p);
  if (!region || region->kind != RegionKind::managed) return report_host_access(p, caller);
  if (region->freed || !region->holds(p, bytes)) return;
  size_t offset = size_t(p - region->begin);
  check_managed_use(*region, offset, bytes, access, code_of(caller));
  if (is_written(access)) region->set_initialised(offset, bytes);
}

static void report_misaligned(const void *address, const std::string &what, size_t unit,
                              unsigned code) {
  if (is_own_stack(static_cast<const char *>(address)) || !is_new(Fault::misaligned, code)) return;
  report(Fault::misaligned, code,
         "misaligned: " + what + " at an address that is no multiple of " + std::to_string(unit));
}

void report_misaligned_type(const void *address, const char *type, size_t unit, unsigned code) {
  report_misaligned(address, std::string("access to ") + type, unit, code);
}

// Apart, so that what runs at every access stays small.
__attribute__((noinline, cold)) static void report_misaligned_access(
    const void *address, size_t bytes, size_t unit, Access access, const void *caller) {
  std::string what = access_text(access) + " of " + std::to_string(bytes) + " bytes";
  report_misaligned(address, what, unit, code_of(caller));
}

// What has 16 bytes may be a structure of two halves; report_misaligned_type knows.
void check_aligned_access(const void *address, size_t bytes, Access access, const void *caller) {
  size_t unit = std::min(bytes, size_t(8));
  if (in_kernel() && reinterpret_cast<size_t>(address) % unit)
    report_misaligned_access(address, bytes, unit, access, caller);
  check_access(address, bytes, access, caller);
}

void check_access(const void *address, size_t bytes, Access access, const void *caller) {
  auto p = static_cast<const char *>(address);
  if (in_kernel()) check_in_kernel(p, bytes, access, caller);
  else check_on_host(p, bytes, access, caller);
}

}  // namespace cudasim
