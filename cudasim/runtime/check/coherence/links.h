// Which bytes of device memory are copies of which bytes of host memory. A device byte has one home; a host byte may
// have several copies.
#pragma once

#include <vector>

namespace cudasim {

// A piece of host memory and one copy of it.
struct Link {
  size_t host, device, bytes;
  bool announced;  // by cudasim::links, not by a copy

  // A part of it.
  Link from_device(size_t begin, size_t length) const { return {home_of(begin), begin, length, announced}; }
  Link from_host(size_t begin, size_t length) const { return {begin, begin - host + device, length, announced}; }

  size_t home_of(size_t device_byte) const { return device_byte - device + host; }
};

// The links of a range, in order. Links of host memory overlap if it has several copies.
std::vector<Link> links_of_device(size_t device, size_t bytes);
std::vector<Link> links_of_host(size_t host, size_t bytes);

// The link of the range if it is one, and its host memory has no other copy; otherwise null.  Quick for ranges near the
// last one.
const Link *only_link_of_device(size_t device, size_t bytes);
const Link *only_link_of_host(size_t host, size_t bytes);

// The range of device memory has no links yet.
void add_link(const Link &link);
void remove_link(const Link &link);

}  // namespace cudasim
