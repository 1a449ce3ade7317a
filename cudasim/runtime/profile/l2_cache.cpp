#include "l2_cache.h"

#include "devices.h"
#include "request.h"

namespace cudasim {

constexpr unsigned whole_sector = ~0u;

L2Cache::L2Cache(const CacheModel &model) : sectors_per_line_(model.line_bytes / sector_bytes) {
  unsigned long long lines = model.bytes / model.line_bytes;
  ways_ = model.ways < lines ? model.ways : lines;
  sets_ = lines / ways_;
  lines_.resize(sets_ * ways_);
  sectors_.resize(lines_.size() * sectors_per_line_);
}

// Consecutive lines go to consecutive sets, and each round begins elsewhere: lines at the
// distance of a power of two do not all compete for the same set.
L2Cache::Line *L2Cache::set_of(unsigned long long line) {
  unsigned long long round = line / sets_;
  return &lines_[(line + round * 7919) % sets_ * ways_];
}

L2Cache::Line *L2Cache::find(unsigned long long number) {
  Line *set = set_of(number);
  for (unsigned long long way = 0; way < ways_; ++way)
    if (set[way].tag == number + 1) return &set[way];
  return nullptr;
}

void L2Cache::fetch(Sector &sector, Counters &counters) {
  counters.dram_read_bytes += sector_bytes;
  sector.valid = true;
}

void L2Cache::evict(Line &line) {
  Sector *sectors = sectors_of(line);
  for (size_t i = 0; i < sectors_per_line_; ++i) {
    Sector &sector = sectors[i];
    if (sector.written) {
      if (!sector.valid && sector.written != whole_sector) fetch(sector, *sector.writer);
      sector.writer->dram_written_bytes += sector_bytes;
    }
    sector = {};
  }
  line = {};
}

// The sector's place in the cache, for which another line may have to go.
L2Cache::Sector &L2Cache::sector(unsigned long long number) {
  unsigned long long line_number = number / sectors_per_line_;
  Line *line = find(line_number);
  if (!line) {
    Line *set = set_of(line_number);
    line = set;
    for (unsigned long long way = 1; way < ways_; ++way)
      if (set[way].used < line->used) line = &set[way];
    evict(*line);
    line->tag = line_number + 1;
  }
  line->used = ++clock_;
  return sectors_of(*line)[number % sectors_per_line_];
}

void L2Cache::read(unsigned long long number, Counters &counters) {
  Sector &found = sector(number);
  if (!found.valid && found.written != whole_sector) fetch(found, counters);
}

void L2Cache::write(unsigned long long number, unsigned mask, Counters &counters) {
  Sector &found = sector(number);
  found.written |= mask;
  found.writer = &counters;
}

void L2Cache::forget(unsigned long long begin, unsigned long long end) {
  unsigned long long first = begin / sectors_per_line_;
  unsigned long long last = (end + sectors_per_line_ - 1) / sectors_per_line_;
  if (last - first < lines_.size()) {
    for (unsigned long long number = first; number < last; ++number)
      if (Line *line = find(number)) evict(*line);
    return;
  }
  for (Line &line : lines_)
    if (line.tag > first && line.tag <= last) evict(line);
}

void L2Cache::write_back_all() {
  for (Line &line : lines_) evict(line);
}

L2Cache &l2_cache(int device) {
  static L2Cache *caches[max_devices];
  if (!caches[device]) caches[device] = new L2Cache(device_model().l2);
  return *caches[device];
}

}  // namespace cudasim
