#include "transitions.h"

#include <algorithm>
#include <sys/mman.h>

#include "shadow.h"
#include "timeline.h"

namespace cudasim {

static void set_states(size_t address, size_t bytes, State state) {
  for_each_page(address, bytes, [state](ShadowPage &page, size_t offset, size_t part, size_t) {
    std::fill_n(page.states + offset, part, state);
  });
}

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
    if (is_alone(state_of(link.device))) return true;
  return false;
}

static void supersede(const std::vector<Link> &links) {
  for (const Link &link : links) {
    if (!link.announced) end_link(link, Fate::rescued, 0);
    else set_states(link.device, link.bytes, State::stale);
  }
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

static void make_host_stale(size_t host, size_t bytes, unsigned code) {
  for_each_page(host, bytes, [host, code](ShadowPage &page, size_t offset, size_t part, size_t done) {
    auto values = reinterpret_cast<const unsigned char *>(host + done);
    bool mapped = is_mapped(host + done);
    for (size_t i = 0; i < part; ++i) {
      State &state = page.states[offset + i];
      page.writers[(offset + i) / writer_bytes] = code;
      if (state == State::freed) continue;
      bool has_old_value = state == State::stale || state == State::lost;
      if (!has_old_value && mapped) page.old_values[offset + i] = values[i];
      state = has_old_value || mapped ? State::stale : State::freed;
    }
  });
}

// ---- transitions ---------------------------------------------------------------------------

void host_stored(size_t host, size_t bytes, unsigned code) {
  if (const Link *only = only_link_of_host(host, bytes))
    set_states(only->from_host(host, bytes).device, bytes, State::stale);
  else
    for (const Link &link : links_of_host(host, bytes)) set_states(link.device, link.bytes, State::stale);
  for_each_page(host, bytes, [code](ShadowPage &page, size_t offset, size_t part, size_t) {
    for (size_t i = offset; i < offset + part; ++i) {
      if (page.states[i] == State::unlinked) continue;
      page.states[i] = State::sole;
      page.writers[i / writer_bytes] = code;
    }
  });
}

static void store_through(const Link &link, unsigned code) {
  make_host_stale(link.host, link.bytes, code);
  set_states(link.device, link.bytes, State::sole);
}

void device_stored(size_t device, size_t bytes, unsigned code) {
  if (const Link *only = only_link_of_device(device, bytes))
    return store_through(only->from_device(device, bytes), code);
  for (const Link &link : links_of_device(device, bytes)) {
    store_through(link, code);
    supersede(others(link));
  }
}

static void share(const Link &link) {
  set_states(link.device, link.bytes, State::shared);
  set_states(link.host, link.bytes, State::shared);
}

void copied_to_device(const Link &link) {
  for (const Link &other : others(link))
    for (size_t i = 0; i < other.bytes; ++i) {
      State state = state_of(other.device + i);
      if (is_alone(state) || state == State::stale) supersede({other.from_device(other.device + i, 1)});
    }
  share(link);
}

void copied_to_host(const Link &link) {
  for (const Link &other : others(link))
    for (size_t i = 0; i < other.bytes; ++i) {
      bool is_new = state_of(link.from_host(other.host + i, 1).device) == State::stale;
      if (is_new) supersede({other.from_device(other.device + i, 1)});
      else if (is_alone(state_of(other.device + i))) set_states(other.device + i, 1, State::shared);
    }
  share(link);
}

void device_moved(const Link &from, const Link &to) {
  for_each_page(from.device, from.bytes, [&to](ShadowPage &page, size_t offset, size_t part, size_t done) {
    std::replace(page.states + offset, page.states + offset + part, State::sole, State::twin);
    for (size_t i = 0; i < part; ++i) set_states(to.device + done + i, 1, page.states[offset + i]);
  });
}

// The newest value of a host byte, which only a copy that is no longer linked had, is lost or has been rescued.
static void lose(size_t host, Fate fate, unsigned code) {
  if (state_of(host) != State::stale || is_sole_elsewhere(host)) return;
  ShadowPage &page = created_page(host);
  page.states[in_page(host)] = fate == Fate::lost ? State::lost : State::sole;
  if (fate == Fate::lost) page.writers[in_page(host) / writer_bytes] = code;
}

void end_link(const Link &link, Fate fate, unsigned code) {
  remove_link(link);
  for_each_page(link.device, link.bytes, [&](ShadowPage &page, size_t offset, size_t part, size_t done) {
    for (size_t i = 0; i < part; ++i)
      if (is_alone(page.states[offset + i])) lose(link.host + done + i, fate, code);
    std::fill_n(page.states + offset, part, State::unlinked);
  });
}

void host_vanished(size_t host, size_t bytes) {
  std::vector<Link> links = links_of_host(host, bytes);
  for (size_t at = host, end = host + bytes; (at = first_concerned(at, end, 0xff)) < end; ++at)
    set_states(at, 1, State::unlinked);
  for (const Link &link : links) {
    if (link.announced) {
      set_states(link.host, link.bytes, State::freed);
      continue;
    }
    remove_link(link);
    set_states(link.device, link.bytes, State::unlinked);
  }
}

void begin_link(const Link &link) {
  add_link(link);
  set_states(link.device, link.bytes, State::stale);
  for_each_page(link.host, link.bytes, [](ShadowPage &page, size_t offset, size_t part, size_t) {
    std::replace(page.states + offset, page.states + offset + part, State::unlinked, State::sole);
  });
}

}  // namespace cudasim
