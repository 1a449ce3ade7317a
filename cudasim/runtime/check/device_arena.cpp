#include "device_arena.h"

#include <sys/mman.h>

#include "coherence.h"
#include "copy_check.h"
#include "device_memory.h"
#include "device_sections.h"
#include "devices.h"
#include "memory_guard.h"
#include "region_map.h"
#include "source_line.h"
#include "turn.h"

namespace cudasim {

constexpr size_t arena_bytes = size_t(1) << 40;
constexpr unsigned page_bits = 16;
constexpr size_t page_bytes = size_t(1) << page_bits;

// Host code may touch managed memory, so it lies apart from the guarded half.
static char *arena, *next_device, *next_managed;
static RegionMap arena_map;
static size_t total, totals[max_devices];

// Never destroyed: leaks are looked for when the program ends.
static std::vector<Region *> &regions() {
  static auto &list = *new std::vector<Region *>;
  return list;
}

static char *middle() { return arena + arena_bytes / 2; }

static void create_arena() {
  if (arena) return;
  void *memory = mmap(nullptr, arena_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    fprintf(stderr, "cudasim: cannot reserve addresses for device memory\n");
    abort();
  }
  arena = next_device = static_cast<char *>(memory);
  next_managed = middle();
  arena_map.create(arena, arena + arena_bytes, page_bits);
  guard_device_memory(arena, middle());
}

bool is_device_address(const void *p) { return arena_map.covers(p); }

Region *device_region(const void *p) { return arena_map.covers(p) ? arena_map.at(p) : nullptr; }

const std::vector<Region *> &device_regions() { return regions(); }

size_t guarded_addresses_used() { return size_t(next_device - arena); }

static size_t round_up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

// The gaps are as wide as the allocation: an index that is off by a row or two still names it.
static size_t gap_for(size_t bytes) {
  size_t gap = round_up(bytes, page_bytes);
  return gap < (size_t(1) << 30) ? gap : size_t(1) << 30;
}


static Region *place_region(char *&next, char *end, RegionKind kind, size_t bytes) {
  size_t gap = gap_for(bytes), whole = round_up(bytes, page_bytes);
  if (size_t(end - next) < whole + 2 * gap) return nullptr;
  Region *region = new Region(kind, next + gap, bytes);
  arena_map.set(next, next + whole + 2 * gap, region);
  next += whole + 2 * gap;
  regions().push_back(region);
  return region;
}

void *allocate_device(size_t bytes, Memory memory, const void *caller) {
  create_arena();
  bool managed = memory == Memory::managed;
  Region *region = managed
                       ? place_region(next_managed, arena + arena_bytes, RegionKind::managed, bytes)
                       : place_region(next_device, middle(), RegionKind::device, bytes);
  if (!region) return nullptr;
  region->allocated_at = code_of(caller);
  region->device = current_device();
  total += bytes;
  if (!managed) totals[region->device] += bytes;
  return region->begin;
}

static void release(Region *region, const void *caller) {
  track_device_free(*region, caller);
  region->freed = true;
  region->freed_at = code_of(caller);
  region->release_cells();
  total -= region->bytes;
  if (region->kind == RegionKind::device) totals[region->device] -= region->bytes;
  madvise(region->begin, round_up(region->bytes, page_bytes), MADV_DONTNEED);
}

cudaError_t free_device(void *pointer, const void *caller) {
  Region *region = device_region(pointer);
  bool valid = check_free(pointer, region, caller);
  if (!valid) return cudaErrorInvalidValue;
  release(region, caller);
  return cudaSuccess;
}

void free_all_device(int device) {
  for (Region *region : regions())
    if (!region->freed && region->device == device) release(region, nullptr);
}

void keeps_to_the_end(const void *device) {
  Turn turn;
  if (Region *region = device_region(device)) region->kept = true;
}

size_t allocated_bytes() { return total; }

size_t allocated_device_bytes(int device) { return totals[device]; }

bool belongs_to(int device, const void *p) {
  Turn turn;
  const Region *region = device_region(p);
  if (!region) return is_device_variable(p);
  return region->kind == RegionKind::managed || region->device == device;
}

}  // namespace cudasim
