#include "links.h"

#include <algorithm>

#include "interval_map.h"

namespace cudasim {

// Where a byte of the device has its home: so far before or after it.
struct Home {
  ptrdiff_t distance;
  bool announced;
  bool operator==(const Home &other) const { return distance == other.distance && announced == other.announced; }
};

// Where the copies of a byte of the host are, in order.
using Distances = std::vector<ptrdiff_t>;

// Never destroyed: they are used until the very end of the program.
static IntervalMap<Home> &homes() {
  static auto &map = *new IntervalMap<Home>;
  return map;
}
static IntervalMap<Distances> &copies() {
  static auto &map = *new IntervalMap<Distances>;
  return map;
}

std::vector<Link> links_of_device(size_t device, size_t bytes) {
  std::vector<Link> found;
  for (const auto &piece : homes().pieces(device, device + bytes))
    found.push_back({piece.begin + size_t(piece.value.distance), piece.begin, piece.end - piece.begin,
                     piece.value.announced});
  return found;
}

std::vector<Link> links_of_host(size_t host, size_t bytes) {
  std::vector<Link> found;
  for (const auto &piece : copies().pieces(host, host + bytes))
    for (ptrdiff_t distance : piece.value)
      for (const Link &link : links_of_device(piece.begin + size_t(distance), piece.end - piece.begin))
        found.push_back(link);
  return found;
}

// A link that was asked for, which is the only one of its host memory.  No bytes if links have changed since.
static Link last_only;

static const Link *remember_if_only(const std::vector<Link> &links) {
  last_only = Link();
  if (links.size() != 1) return nullptr;
  std::vector<Link> all = links_of_host(links[0].host, links[0].bytes);
  if (all.size() == 1 && all[0].bytes == links[0].bytes) last_only = all[0];
  return last_only.bytes ? &last_only : nullptr;
}

constexpr size_t near = 4096;

static bool covers(size_t begin, size_t length, size_t address, size_t bytes) {
  return address >= begin && address - begin <= length && bytes <= length - (address - begin);
}

const Link *only_link_of_device(size_t device, size_t bytes) {
  if (covers(last_only.device, last_only.bytes, device, bytes)) return &last_only;
  for (size_t reach : {near, size_t(0)}) {
    const Link *link = remember_if_only(links_of_device(device, bytes + reach));
    if (link && covers(link->device, link->bytes, device, bytes)) return link;
  }
  return nullptr;
}

const Link *only_link_of_host(size_t host, size_t bytes) {
  if (covers(last_only.host, last_only.bytes, host, bytes)) return &last_only;
  for (size_t reach : {near, size_t(0)}) {
    const Link *link = remember_if_only(links_of_host(host, bytes + reach));
    if (link && covers(link->host, link->bytes, host, bytes)) return link;
  }
  return nullptr;
}

template <class Change>
static void change_copies(const Link &link, Change change) {
  size_t begin = link.host, end = link.host + link.bytes;
  last_only = Link();
  std::vector<IntervalMap<Distances>::Piece> pieces;
  size_t at = begin;
  for (auto &piece : copies().pieces(begin, end)) {
    if (at < piece.begin) pieces.push_back({at, piece.begin, {}});
    at = piece.end;
    pieces.push_back(piece);
  }
  if (at < end) pieces.push_back({at, end, {}});
  for (auto &piece : pieces) {
    change(piece.value);
    if (piece.value.empty()) copies().erase(piece.begin, piece.end);
    else copies().assign(piece.begin, piece.end, piece.value);
  }
}

void add_link(const Link &link) {
  auto distance = ptrdiff_t(link.device - link.host);
  homes().assign(link.device, link.device + link.bytes, {-distance, link.announced});
  change_copies(link, [distance](Distances &all) {
    auto place = std::lower_bound(all.begin(), all.end(), distance);
    if (place == all.end() || *place != distance) all.insert(place, distance);
  });
}

void remove_link(const Link &link) {
  auto distance = ptrdiff_t(link.device - link.host);
  homes().erase(link.device, link.device + link.bytes);
  change_copies(link, [distance](Distances &all) {
    all.erase(std::remove(all.begin(), all.end(), distance), all.end());
  });
}

}  // namespace cudasim
