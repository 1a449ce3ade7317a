#include "stale_values.h"

#include "findings.h"
#include "links.h"
#include "shadow.h"
#include "source_line.h"
#include "transitions.h"

namespace cudasim {

static std::string place_of_newest(size_t address) {
  unsigned code = writer_of(address);
  return code ? source_line(code).text() : "an unknown place";
}

// `side`: where the newest value is.
static std::string newest_text(const std::string &side, size_t host, const Taker &taker) {
  std::string place = side + ", written at " + place_of_newest(host);
  return ", whose newer value " + (taker.overwrites ? "on " + place + ", it overwrites" : "is on " + place);
}

static std::string lost_text(size_t host) { return ", whose newer value was lost at " + place_of_newest(host); }

static void tell(const Taker &taker, const std::string &values, const std::string &newest) {
  report(Fault::stale, taker.code, std::string("stale value: ") + taker.what + " " + values + newest);
}

// ---- the host's ----------------------------------------------------------------------------

static bool is_unseen_write(size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i)
    if (created_page(i).old_values[in_page(i)] != *reinterpret_cast<const unsigned char *>(i)) return true;
  return false;
}

static size_t end_of_run(size_t begin, size_t end) {
  while (begin < end && any_concerns(begin, 1, concerns_loads)) ++begin;
  return begin;
}

void check_host_values(size_t host, size_t bytes, const Taker &taker) {
  size_t end = host + bytes, run_end;
  for (size_t at = host; (at = first_concerned(at, end, concerns_loads)) < end; at = run_end) {
    run_end = end_of_run(at, end);
    if (is_unseen_write(at, run_end)) {
      host_stored(at, run_end - at, taker.code);
      continue;
    }
    if (is_new(Fault::stale, taker.code))
      tell(taker, std::to_string(bytes) + " bytes of host memory",
           state_of(at) == State::lost ? lost_text(at) : newest_text("the device", at, taker));
    return;
  }
}

// ---- the device's --------------------------------------------------------------------------

// Of a byte of the device that is not the newest.
static std::string newest_text(size_t device, const Taker &taker) {
  std::vector<Link> links = links_of_device(device, 1);
  if (links.empty()) return "";
  size_t host = links[0].host;
  if (state_of(host) == State::lost) return lost_text(host);
  if (state_of(host) == State::stale) return newest_text("the device in another copy", host, {taker.what, taker.code});
  if (!writer_of(host)) return ", which was never copied from the host";
  return newest_text("the host", host, taker);
}

constexpr size_t largest_access = 16;

static bool has_values(Region &region, size_t device, size_t bytes) {
  return region.kind == RegionKind::constant ||
         region.first_uninitialised(device - size_t(region.begin), bytes) == bytes;
}

void check_device_values(Region &region, size_t device, size_t bytes, const Taker &taker) {
  size_t end = device + bytes, at = first_concerned(device, end, concerns_loads);
  if (at == end || !has_values(region, device, bytes)) return;
  if (!is_new(Fault::stale, taker.code)) return;
  std::string values = bytes <= largest_access ? element_text(region, device - size_t(region.begin), bytes)
                                               : element_text(region, at - size_t(region.begin), 0);
  tell(taker, values, newest_text(at, taker));
}

}  // namespace cudasim
