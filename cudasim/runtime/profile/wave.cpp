#include "wave.h"

#include <vector>

#include "l2_cache.h"

namespace cudasim {

// More sectors than this are not kept: the wave is then shorter.
constexpr size_t wave_limit = size_t(1) << 22;

// A sector of a request, or a barrier.
struct KeptSector {
  unsigned long long number;
  unsigned mask;
  Access access;
  bool begins_request;
  Counters *counters;  // null for a barrier
};

struct WarpStream {
  std::vector<KeptSector> sectors;
  size_t next = 0;
  bool at_barrier = false;

  bool is_done() const { return next == sectors.size(); }
};

// The streams of the wave's first block, then those of the second, and so on.
static std::vector<WarpStream> &streams() {
  static auto &list = *new std::vector<WarpStream>;
  return list;
}

static size_t warps_per_block, blocks_per_wave, blocks_begun, kept_sectors;

static WarpStream *streams_of(size_t block) { return &streams()[block * warps_per_block]; }

static void play(const KeptSector &sector) {
  L2Cache &cache = l2_cache();
  if (sector.access != Access::write) cache.read(sector.number, *sector.counters);
  if (sector.access != Access::read) cache.write(sector.number, sector.mask, *sector.counters);
}

static void play_request(WarpStream &warp) {
  do play(warp.sectors[warp.next++]);
  while (!warp.is_done() && warp.sectors[warp.next].counters && !warp.sectors[warp.next].begins_request);
}

static void pass_barrier(WarpStream *warps) {
  for (size_t i = 0; i < warps_per_block; ++i)
    if (!warps[i].at_barrier) return;
  for (size_t i = 0; i < warps_per_block; ++i) {
    warps[i].at_barrier = false;
    ++warps[i].next;
  }
}

// A turn of every warp of the block; whether any of them has more to do.
static bool play_turn(WarpStream *warps) {
  bool more = false;
  for (size_t i = 0; i < warps_per_block; ++i) {
    WarpStream &warp = warps[i];
    if (warp.is_done()) continue;
    more = true;
    if (warp.sectors[warp.next].counters) play_request(warp);
    else warp.at_barrier = true;
  }
  pass_barrier(warps);
  return more;
}

static void play_wave() {
  for (bool more = true; more;) {
    more = false;
    for (size_t block = 0; block < blocks_begun; ++block) more |= play_turn(streams_of(block));
  }
  for (size_t i = 0; i < blocks_begun * warps_per_block; ++i) {
    streams()[i].sectors.clear();
    streams()[i].next = 0;
  }
  kept_sectors = blocks_begun = 0;
}

void begin_waves(unsigned blocks_in_wave, unsigned warps_in_block) {
  blocks_per_wave = blocks_in_wave;
  warps_per_block = warps_in_block;
  if (streams().size() < blocks_per_wave * warps_per_block)
    streams().resize(blocks_per_wave * warps_per_block);
}

void begin_block_in_wave() {
  if (blocks_begun == blocks_per_wave) play_wave();
  ++blocks_begun;
}

void end_waves() { play_wave(); }

void add_barrier_to_wave() {
  for (size_t i = 0; i < warps_per_block; ++i)
    streams_of(blocks_begun - 1)[i].sectors.push_back({});
}

void add_to_wave(unsigned warp, const TouchedSectors &touched, Access access, Counters &counters) {
  if (kept_sectors >= wave_limit) {
    play_wave();
    blocks_begun = 1;
  }
  std::vector<KeptSector> &sectors = streams_of(blocks_begun - 1)[warp].sectors;
  for (unsigned i = 0; i < touched.count; ++i)
    sectors.push_back({touched.sector[i].number, touched.sector[i].mask, access, i == 0, &counters});
  kept_sectors += touched.count;
}

}  // namespace cudasim
