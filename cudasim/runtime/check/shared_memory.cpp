#include "shared_memory.h"

#include <algorithm>

#include "limits.h"
#include "region_map.h"
#include "symbols.h"

namespace cudasim {

constexpr unsigned granule_bits = 2;
constexpr size_t gap_granules = 256 >> granule_bits;  // as pad-shared leaves
constexpr int poison = 0xff;

static RegionMap shared_map;
static Region *dynamic;

// All regions of the map.
static std::vector<Region *> &shared_regions() {
  static auto &list = *new std::vector<Region *>;
  return list;
}

// What kernels read of the runtime's and the compiler's own thread-local variables.
static std::vector<Symbol> runtime_variables() {
  std::vector<Symbol> own = thread_local_guards();
  own.push_back({"threadIdx", reinterpret_cast<char *>(&threadIdx), sizeof threadIdx});
  own.push_back({"blockIdx", reinterpret_cast<char *>(&blockIdx), sizeof blockIdx});
  own.push_back({"blockDim", reinterpret_cast<char *>(&blockDim), sizeof blockDim});
  own.push_back({"gridDim", reinterpret_cast<char *>(&gridDim), sizeof gridDim});
  return own;
}

static void widen(char *&begin, char *&end, const std::vector<Symbol> &symbols) {
  for (const Symbol &symbol : symbols) {
    begin = std::min(begin, symbol.begin);
    end = std::max(end, symbol.begin + symbol.bytes);
  }
}

static void add_region(const Symbol &symbol) {
  Region *region = new Region(RegionKind::shared, symbol.begin, symbol.bytes);
  region->name = symbol.name;
  shared_map.set(symbol.begin, symbol.begin + symbol.bytes, region);
  shared_regions().push_back(region);
}

static void create_map() {
  char *begin = cudasim_dynamic_shared, *end = begin + max_dynamic_shared_bytes;
  std::vector<Symbol> shared = thread_local_symbols(), own = runtime_variables();
  widen(begin, end, shared);
  widen(begin, end, own);
  shared_map.create(begin, end + (gap_granules << granule_bits), granule_bits);
  for (const Symbol &symbol : shared) add_region(symbol);
  shared_map.fill_gaps(gap_granules);
  dynamic = new Region(RegionKind::dynamic_shared, cudasim_dynamic_shared, 0);
  shared_regions().push_back(dynamic);
  shared_map.set(dynamic->begin, dynamic->begin + max_dynamic_shared_bytes, dynamic);
  for (const Symbol &symbol : own)
    shared_map.set(symbol.begin, symbol.begin + symbol.bytes, nullptr);
}

// Every host thread has the same variables, at a distance that is the same for all of them.
static void move_to_this_thread() {
  ptrdiff_t distance = cudasim_dynamic_shared - dynamic->begin;
  if (distance == 0) return;
  shared_map.move(distance);
  for (Region *region : shared_regions()) region->begin += distance;
}

void prepare_shared_memory(size_t dynamic_bytes) {
  if (!dynamic) create_map();
  move_to_this_thread();
  dynamic->release_cells();
  dynamic->bytes = dynamic_bytes;
}

bool is_shared_address(const void *p) { return shared_map.covers(p); }

// A new block finds nothing in its shared memory.
static void enter_block(Region *region) {
  region->block_seen = block_serial();
  region->reset();
  memset(region->begin, poison, region->bytes);
}

Region *shared_region(const void *p) {
  Region *region = shared_map.at(p);
  if (region && region->block_seen != block_serial()) enter_block(region);
  return region;
}

}  // namespace cudasim
