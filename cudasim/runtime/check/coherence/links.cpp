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

template <class Change>
static void change_copies(const Link &link, Change change) {
  size_t begin = link.host, end = link.host + link.bytes;
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
  change_copies(link, [distance](Distances &all) { all.erase(std::remove(all.begin(), all.end(), distance), all.end()); });
}

}  // namespace cudasim
