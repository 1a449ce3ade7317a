// Findings about values that are not the newest.
#pragma once

#include "region.h"

namespace cudasim {

// What takes values, where it stands in the program, and whether it puts them over the newest ones.
struct Taker {
  const char *what;  // `the host reads`
  unsigned code;
  bool overwrites = false;
};

// Of host memory.  Bytes that code without instrumentation has written meanwhile count as written now.
void check_host_values(size_t host, size_t bytes, const Taker &taker);

// Of device memory.
void check_device_values(Region &region, size_t device, size_t bytes, const Taker &taker);


}  // namespace cudasim
