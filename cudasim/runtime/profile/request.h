// What one request costs: the accesses of the lanes of a warp that execute an instruction
// together.
#pragma once

#include "counters.h"
#include "device_model.h"

namespace cudasim {

constexpr unsigned bank_count = 32;
constexpr unsigned bank_bytes = 4;

// Every lane accesses `bytes` bytes (at most 16) at its address.
struct Request {
  Access access;
  bool asynchronous;  // a part of an asynchronous copy
  bool past_l1;       // it does not use the L1 cache
  unsigned bytes;
  unsigned lanes;
  unsigned long long address[32];
};

// A sector and which of its bytes the request touches.
struct TouchedSector {
  unsigned long long number;
  unsigned mask;
};

struct TouchedSectors {
  unsigned count;
  TouchedSector sector[64];
  unsigned distinct_bytes;
};

TouchedSectors touched_sectors(const Request &request);

// The lines of the L1 cache that hold the sectors.
unsigned touched_lines(const TouchedSectors &touched);

// Shared memory has 32 banks of 4 bytes.  Lanes that read the same word are served together, as
// are writes to it; accesses of 8 bytes go by half-warps and those of 16 by quarter-warps.  Twice as
// many lanes are served together if two and two of them load from the same address.
// Atomic operations on a word are done one after the other.  `places[i]` is the place in
// the warp of the request's lane i.
BankUse bank_use(const Request &request, const unsigned char *places);

// Constant memory serves one word of 4 bytes at a time to all lanes that ask for it.
BankUse constant_use(const Request &request);

}  // namespace cudasim
