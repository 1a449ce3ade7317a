#include "transitions.h"

#include <algorithm>
#include <sys/mman.h>

#include "shadow.h"
#include "timeline.h"

namespace cudasim {

// ---- several copies ------------------------------------------------------------------------

// What else is a copy of the same host memory.
static std::vector<Link> others(const Link &link) {
  std::vector<Link> found = links_of_host(link.host, link.bytes);
  auto is_itself = [&](const Link &other) { return other.device - other.host == link.device - link.host; };
  found.erase(std::remove_if(found.begin(), found.end(), is_itself), found.end());
  return found;
}

static bool is_sole_elsewhere(size_t host) {
  for (const Link &link : links_of_host(host, 1))
    if (state_of(link.device) == State::sole) return true;
  return false;
}

static void supersede(const std::vector<Link> &links) {
  for (const Link &link : links) {
    if (!link.announced) end_link(link, Fate::rescued, 0);
    else for (size_t i = 0; i < link.bytes; ++i) shadow_state(link.device + i) = State::stale;
  }
}

static void supersede_byte(const Link &link, size_t i) {
  supersede({{link.host + i, link.device + i, 1, link.announced}});
}

// ---- old values ----------------------------------------------------------------------------

// Whether the host still has the page. Inside a kernel, it is asked again only when another page or block comes.
static bool is_mapped(size_t address) {
  static size_t last_page;
  static unsigned last_block;
  size_t page = address / shadow_page_bytes * shadow_page_bytes;
  if (in_kernel() && page == last_page && block_serial() == last_block) return true;
  unsigned char resident;
  if (mincore(reinterpret_cast<void *>(page), shadow_page_bytes, &resident) != 0) return false;
  last_page = page;
  last_block = in_kernel() ? block_serial() : 0;
  return true;
}

static void make_host_stale(size_t host, unsigned code) {
  State &state = shadow_state(host);
  shadow_writer(host) = code;
  if (state == State::freed) return;
  if (state == State::stale || state == State::lost) {
    state = State::stale;
    return;
  }
  state = is_mapped(host) ? State::stale : State::freed;
  if (state == State::stale) shadow_old_value(host) = *reinterpret_cast<unsigned char *>(host);
}

// ---- transitions ---------------------------------------------------------------------------

void host_stored(size_t host, size_t bytes, unsigned code) {
  for (const Link &link : links_of_host(host, bytes))
    for (size_t i = 0; i < link.bytes; ++i) shadow_state(link.device + i) = State::stale;
  for (size_t i = host; i < host + bytes; ++i) {
    if (state_of(i) == State::unlinked) continue;
    shadow_state(i) = State::sole;
    shadow_writer(i) = code;
  }
}

void device_stored(size_t device, size_t bytes, unsigned code) {
  for (const Link &link : links_of_device(device, bytes)) {
    for (size_t i = 0; i < link.bytes; ++i) {
      make_host_stale(link.host + i, code);
      shadow_state(link.device + i) = State::sole;
    }
    supersede(others(link));
  }
}

static void share(const Link &link) {
  for (size_t i = 0; i < link.bytes; ++i)
    shadow_state(link.device + i) = shadow_state(link.host + i) = State::shared;
}

void copied_to_device(const Link &link) {
  for (const Link &other : others(link))
    for (size_t i = 0; i < other.bytes; ++i) {
      State state = state_of(other.device + i);
      if (state == State::sole || state == State::stale) supersede_byte(other, i);
    }
  share(link);
}

void copied_to_host(const Link &link) {
  for (const Link &other : others(link))
    for (size_t i = 0; i < other.bytes; ++i) {
      if (state_of(link.device + (other.host + i - link.host)) == State::stale) supersede_byte(other, i);
      else if (state_of(other.device + i) == State::sole) shadow_state(other.device + i) = State::shared;
    }
  share(link);
}

void device_moved(const Link &from, const Link &to) {
  for (size_t i = 0; i < to.bytes; ++i) shadow_state(to.device + i) = state_of(from.device + i);
}

void end_link(const Link &link, Fate fate, unsigned code) {
  remove_link(link);
  for (size_t i = 0; i < link.bytes; ++i) {
    State was = state_of(link.device + i);
    shadow_state(link.device + i) = State::unlinked;
    size_t host = link.host + i;
    if (was != State::sole || state_of(host) != State::stale || is_sole_elsewhere(host)) continue;
    shadow_state(host) = fate == Fate::lost ? State::lost : State::sole;
    if (fate == Fate::lost) shadow_writer(host) = code;
  }
}

void host_vanished(size_t host, size_t bytes) {
  std::vector<Link> links = links_of_host(host, bytes);
  for (size_t i = host; i < host + bytes; ++i)
    if (state_of(i) != State::unlinked) shadow_state(i) = State::unlinked;
  for (const Link &link : links) {
    if (!link.announced) remove_link(link);
    for (size_t i = 0; i < link.bytes; ++i) {
      State &state = shadow_state(link.device + i);
      if (!link.announced) state = State::unlinked;
      else shadow_state(link.host + i) = State::freed;
    }
  }
}

void begin_link(const Link &link) {
  add_link(link);
  for (size_t i = 0; i < link.bytes; ++i) {
    shadow_state(link.device + i) = State::stale;
    State &home = shadow_state(link.host + i);
    if (home == State::unlinked) home = State::sole;
  }
}

}  // namespace cudasim
