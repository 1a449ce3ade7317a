// How states change.  `code` did it.
//
// If a host byte has several copies and one of them gets another value, the others become stale if they were
// announced.  Others are copies no longer: programs fill many arrays from one buffer, and that is no mistake.
#pragma once

#include "links.h"

namespace cudasim {

void host_stored(size_t host, size_t bytes, unsigned code);
void device_stored(size_t device, size_t bytes, unsigned code);

// The host's values are on the device now, or those of the device on the host.
void copied_to_device(const Link &link);
void copied_to_host(const Link &link);

// A copy from one place of the device to another that has the same home.
void device_moved(const Link &from, const Link &to);

// The link ends. A value that only this copy has is lost, or has found another place.
enum class Fate { lost, rescued };
void end_link(const Link &link, Fate fate, unsigned code);

// The host memory does not exist any longer.
void host_vanished(size_t host, size_t bytes);

// A link that is new: the device has nothing yet.
void begin_link(const Link &link);

}  // namespace cudasim
