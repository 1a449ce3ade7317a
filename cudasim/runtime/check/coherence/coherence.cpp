#include "coherence.h"

#include "bookkeeping.h"
#include "device_arena.h"
#include "device_memory.h"
#include "device_variables.h"
#include "frames.h"
#include "links.h"
#include "memory_guard.h"
#include "shadow.h"
#include "source_line.h"
#include "stale_values.h"
#include "transitions.h"

namespace cudasim {

static size_t number(const void *p) { return reinterpret_cast<size_t>(p); }

// ---- accesses ------------------------------------------------------------------------------

static void note_host_load(size_t host, size_t bytes, const void *caller) {
  if (!any_concerns(host, bytes, concerns_loads)) return;
  Bookkeeping bookkeeping;
  check_host_values(host, bytes, {in_kernel() ? "the kernel reads" : "the host reads", code_of(caller)});
}

static void note_host_store(size_t host, size_t bytes, const void *caller) {
  if (!any_concerns(host, bytes, concerns_stores)) return;
  Bookkeeping bookkeeping;
  host_stored(host, bytes, code_of(caller));
}

void track_host_access(const void *address, size_t bytes, Access access, const void *caller) {
  size_t host = number(address);
  if (access != Access::write) note_host_load(host, bytes, caller);
  if (access != Access::read) note_host_store(host, bytes, caller);
}

void track_kernel_access(Region &region, size_t offset, size_t bytes, Access access, unsigned code) {
  size_t device = number(region.begin) + offset;
  bool loads = access != Access::write && any_concerns(device, bytes, concerns_loads);
  bool stores = access != Access::read && any_concerns(device, bytes, concerns_stores);
  if (!loads && !stores) return;
  Bookkeeping bookkeeping;
  if (loads) check_device_values(region, device, bytes, {"the kernel reads", code});
  if (stores) device_stored(device, bytes, code);
}

// ---- links ---------------------------------------------------------------------------------

// Links these bytes, which may be links already: of the same bytes, of others, or only in part.  Only links that
// copies made give way.
static void relink(const Link &wanted, Fate fate, unsigned code) {
  size_t at = wanted.device, end = at + wanted.bytes;
  auto link_until = [&](size_t next) {
    if (at >= next) return;
    Link part = {wanted.home_of(at), at, next - at, wanted.announced};
    begin_link(part);
    note_linked_frame(part);
  };
  for (const Link &old : links_of_device(wanted.device, wanted.bytes)) {
    bool same = old.host == wanted.home_of(old.device);
    bool stays = (same && old.announced >= wanted.announced) || (old.announced && !wanted.announced);
    if (!stays && !same) end_link(old, fate, code);
    if (!stays && same) add_link({old.host, old.device, old.bytes, true});
    if (!stays && !same) continue;
    link_until(old.device);
    at = old.device + old.bytes;
  }
  link_until(end);
}

void links(const void *host, const void *device, size_t bytes) {
  if (!bytes) return;
  Bookkeeping bookkeeping;
  relink({number(host), number(device), bytes, true}, Fate::lost, code_of(__builtin_return_address(0)));
}

static void unlink_device(size_t device, size_t bytes, const void *caller) {
  if (!any_state(device, bytes)) return;
  for (const Link &link : links_of_device(device, bytes)) end_link(link, Fate::lost, code_of(caller));
}

void unlinks(const void *device, size_t bytes) {
  Bookkeeping bookkeeping;
  unlink_device(number(device), bytes, __builtin_return_address(0));
}

void track_device_free(const Region &region, const void *caller) {
  Bookkeeping bookkeeping;
  unlink_device(number(region.begin), region.bytes, caller ? caller : program_image().begin);
}

void host_reads(const void *host, size_t bytes) {
  track_host_access(host, bytes, Access::read, __builtin_return_address(0));
}

void host_writes(const void *host, size_t bytes) {
  track_host_access(host, bytes, Access::write, __builtin_return_address(0));
}

// ---- copies --------------------------------------------------------------------------------

// Null if the host has the memory too.
static Region *device_side(const void *p) {
  Region *region = is_device_address(p) ? device_region(p) : variable_region(p);
  return region && region->kind != RegionKind::managed ? region : nullptr;
}

static std::vector<Link> links_to(size_t host, size_t device, size_t bytes, bool same) {
  std::vector<Link> found;
  for (const Link &link : links_of_device(device, bytes))
    if ((link.host == link.device - device + host) == same) found.push_back(link);
  return found;
}

// A copy that comes from elsewhere than its home: packed values of the home, or others.
static void note_foreign_values(const Link &link, unsigned code) {
  DeviceMemoryOpen open;
  bool equal = state_of(link.host) != State::freed &&
               memcmp(reinterpret_cast<void *>(link.host), reinterpret_cast<void *>(link.device), link.bytes) == 0;
  if (equal) copied_to_device(link);
  else device_stored(link.device, link.bytes, code);
}

static bool any_alone(size_t device, size_t bytes) {
  bool found = false;
  for_each_page(device, bytes, [&found](const ShadowPage &page, size_t offset, size_t part, size_t) {
    found |= std::any_of(page.states + offset, page.states + offset + part, is_alone);
  });
  return found;
}

static void note_copy_to_device(size_t device, size_t host, size_t bytes, unsigned code) {
  bool over_newer = false;
  for (const Link &link : links_to(host, device, bytes, true)) over_newer |= any_alone(link.device, link.bytes);
  check_host_values(host, bytes, {"the copy to the device takes", code, over_newer});
  relink({host, device, bytes, false}, Fate::lost, code);
  for (const Link &link : links_to(host, device, bytes, true)) copied_to_device(link);
  for (const Link &link : links_to(host, device, bytes, false)) note_foreign_values(link, code);
}

static void note_copy_to_host(size_t host, Region &region, size_t device, size_t bytes, unsigned code) {
  bool to_home = !links_to(host, device, bytes, true).empty();
  check_device_values(region, device, bytes, {"the copy to the host takes", code, to_home});
  relink({host, device, bytes, false}, Fate::rescued, code);
  for (const Link &link : links_to(host, device, bytes, true)) copied_to_host(link);
  for (const Link &link : links_to(host, device, bytes, false))
    host_stored(link.device - device + host, link.bytes, code);
}

// Old values may move, but not over the newest ones.
static void check_moved_values(Region &region, const Link &from, const Link &to, unsigned code) {
  for (size_t i = 0; i < to.bytes; ++i)
    if (is_alone(state_of(to.device + i)) && state_of(from.device + i) == State::stale)
      return check_device_values(region, from.device + i, 1, {"the copy on the device takes", code});
}

// What is not linked is a copy of nothing, whatever is copied to it.
static void note_copy_on_device(size_t to, Region &region, size_t from, size_t bytes, unsigned code) {
  for (const Link &target : links_of_device(to, bytes)) {
    size_t source = target.device - to + from;
    std::vector<Link> same = links_to(target.host, source, target.bytes, true);
    if (same.size() == 1 && same[0].bytes == target.bytes) {
      check_moved_values(region, same[0], target, code);
      device_moved(same[0], target);
      continue;
    }
    check_device_values(region, source, target.bytes, {"the copy on the device takes", code});
    device_stored(target.device, target.bytes, code);
  }
}

static void note_copied_row(size_t to, size_t from, const Copy &copy, const void *caller) {
  Region *target = device_side(copy.to), *source = device_side(copy.from);
  unsigned code = code_of(caller);
  if (target && source) note_copy_on_device(to, *source, from, copy.width, code);
  else if (target) note_copy_to_device(to, from, copy.width, code);
  else if (source) note_copy_to_host(to, *source, from, copy.width, code);
  else {
    note_host_load(from, copy.width, caller);
    note_host_store(to, copy.width, caller);
  }
}

void track_copy(const Copy &copy, const void *caller) {
  Bookkeeping bookkeeping;
  for (size_t row = 0; row < copy.height; ++row)
    note_copied_row(number(copy.to) + row * copy.to_pitch, number(copy.from) + row * copy.from_pitch, copy, caller);
}

void track_fill(const Fill &fill, const void *caller) {
  Bookkeeping bookkeeping;
  for (size_t row = 0; row < fill.height; ++row)
    device_stored(number(fill.to) + row * fill.pitch, fill.width, code_of(caller));
}

}  // namespace cudasim
