#include "wave.h"

#include <vector>

#include "device_model.h"
#include "l1_cache.h"
#include "l2_cache.h"

namespace cudasim {

// More sectors than this are not kept: the wave is then shorter.
constexpr size_t wave_limit = size_t(1) << 22;

// Of a request, `sectors` sectors of the warp; or a barrier, which counts nothing.
struct KeptRequest {
  WaveCounts counts;
  unsigned sectors;
  Access access;
  bool past_l1;

  bool is_barrier() const { return !counts.counters; }
};

struct WarpStream {
  std::vector<KeptRequest> requests;
  std::vector<TouchedSector> sectors;
  size_t next_request = 0, next_sector = 0;
  bool at_barrier = false;

  bool is_done() const { return next_request == requests.size(); }
  const KeptRequest &next() const { return requests[next_request]; }
  void clear() {
    requests.clear();
    sectors.clear();
    next_request = next_sector = 0;
  }
};

// The streams of the wave's first block, then those of the second, and so on.
static std::vector<WarpStream> &streams() {
  static auto &list = *new std::vector<WarpStream>;
  return list;
}

static WaveShape shape;
static size_t blocks_begun, kept_sectors;
static size_t first_multiprocessor;  // where the wave's first block runs
static unsigned long long launch_number;

static WarpStream *streams_of(size_t block) { return &streams()[block * shape.warps_per_block]; }

// ---- multiprocessors -----------------------------------------------------------------------

static std::vector<L1Cache> &l1_caches() {
  static auto &list = *new std::vector<L1Cache>(device_model().multiprocessors);
  return list;
}

static size_t multiprocessor_of(size_t block) {
  return (first_multiprocessor + block) % l1_caches().size();
}

static L1Cache &l1_cache_of(size_t block) {
  const L1Model &model = device_model().l1;
  L1Cache &cache = l1_caches()[multiprocessor_of(block)];
  cache.begin_launch(launch_number, shape.l1_bytes / model.line_bytes,
                     unsigned(model.line_bytes / sector_bytes));
  return cache;
}

// ---- playing -------------------------------------------------------------------------------

static void play_sector(const KeptRequest &request, const TouchedSector &sector, L1Cache &l1) {
  bool is_read = request.access == Access::read;
  if (is_read && !request.past_l1 && l1.read(sector.number)) {
    ++request.counts.traffic->l1_hits;
    return;
  }
  ++request.counts.traffic->sectors;
  L2Cache &l2 = l2_cache(shape.device);
  if (request.access == Access::atomic) l1.forget(sector.number);
  if (request.access != Access::write) l2.read(sector.number, *request.counts.counters);
  if (!is_read) l2.write(sector.number, sector.mask, *request.counts.counters);
}

static void play_request(WarpStream &warp, L1Cache &l1) {
  const KeptRequest &request = warp.next();
  const TouchedSector *sector = &warp.sectors[warp.next_sector], *end = sector + request.sectors;
  for (; sector != end; ++sector) play_sector(request, *sector, l1);
  warp.next_sector += request.sectors;
  ++warp.next_request;
}

static void pass_barrier(WarpStream *warps) {
  for (size_t i = 0; i < shape.warps_per_block; ++i)
    if (!warps[i].at_barrier) return;
  for (size_t i = 0; i < shape.warps_per_block; ++i) {
    warps[i].at_barrier = false;
    ++warps[i].next_request;
  }
}

// A turn of every warp of the block; whether any of them has more to do.
static bool play_turn(WarpStream *warps, L1Cache &l1) {
  bool more = false;
  for (size_t i = 0; i < shape.warps_per_block; ++i) {
    WarpStream &warp = warps[i];
    if (warp.is_done()) continue;
    more = true;
    if (warp.next().is_barrier()) warp.at_barrier = true;
    else play_request(warp, l1);
  }
  pass_barrier(warps);
  return more;
}

static void play_wave() {
  for (bool more = true; more;) {
    more = false;
    for (size_t block = 0; block < blocks_begun; ++block)
      more |= play_turn(streams_of(block), l1_cache_of(block));
  }
  for (size_t i = 0; i < blocks_begun * shape.warps_per_block; ++i) streams()[i].clear();
  kept_sectors = blocks_begun = 0;
}

// The block that runs goes on where it is, as the first of the next wave.
static void play_unfinished_wave() {
  size_t multiprocessor = multiprocessor_of(blocks_begun - 1);
  play_wave();
  first_multiprocessor = multiprocessor;
  blocks_begun = 1;
}

// ---- keeping -------------------------------------------------------------------------------

void begin_waves(const WaveShape &new_shape) {
  shape = new_shape;
  first_multiprocessor = 0;
  ++launch_number;
  size_t warps = shape.blocks * shape.warps_per_block;
  if (streams().size() < warps) streams().resize(warps);
}

void begin_block_in_wave() {
  if (blocks_begun == shape.blocks) {
    play_wave();
    first_multiprocessor = 0;
  }
  ++blocks_begun;
}

void end_waves() { play_wave(); }

void add_barrier_to_wave() {
  for (size_t i = 0; i < shape.warps_per_block; ++i)
    streams_of(blocks_begun - 1)[i].requests.push_back({});
}

void add_to_wave(unsigned warp, const TouchedSectors &touched, Access access, bool past_l1,
                 const WaveCounts &counts) {
  if (kept_sectors >= wave_limit) play_unfinished_wave();
  WarpStream &stream = streams_of(blocks_begun - 1)[warp];
  stream.requests.push_back({counts, touched.count, access, past_l1});
  stream.sectors.insert(stream.sectors.end(), touched.sector, touched.sector + touched.count);
  kept_sectors += touched.count;
}

}  // namespace cudasim
