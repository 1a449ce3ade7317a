// Copies and fills: how often, and how many bytes, each way.
#pragma once

#include <map>
#include <string>

#include "counters.h"

namespace cudasim {

enum class Way : unsigned char { host_to_device, device_to_host, device_to_device, host_to_host, fill };
constexpr int ways = 5;

struct CopyCount {
  Count calls, bytes;
};

// By the way and the code address of the call.
const std::map<std::pair<Way, unsigned>, CopyCount> &copy_counts();

}  // namespace cudasim
