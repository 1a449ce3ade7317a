// Keeps host code out of device memory: also code that is not instrumented, such as the C
// host program or memcpy.  A touch becomes a finding.
//
// A launch opens device memory, and the next copy or synchronisation closes it: before that,
// the host has no business with results anyway, and launches in a row stay cheap.  A program
// that opens and closes too much memory in all is no longer guarded.
#pragma once

#include "timeline.h"

namespace cudasim {

// The thread can be told of a fault even where its stack has overflown.
void prepare_for_faults();

void guard_device_memory(char *begin, char *end);
void open_device_memory();
void close_device_memory();

// Device memory is open as long as one of these lives.
struct DeviceMemoryOpen {
  DeviceMemoryOpen() { open_device_memory(); }
  ~DeviceMemoryOpen() {
    if (!in_kernel()) close_device_memory();
  }
};

}  // namespace cudasim
