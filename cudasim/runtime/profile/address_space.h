// Which memory an address means, and an address in it that is the same in every run.
#pragma once

namespace cudasim {

enum class Space : unsigned char { none, global, host, shared, constant };

struct Location {
  Space space;
  unsigned long long address;
};

// Before each launch, by its thread.
void prepare_locations();

// What a kernel that accesses p accesses; `none` for its local variables, and for what does not
// belong to it.
Location location_of(const void *p);

// Device memory or a device variable.
bool is_on_device(const void *p);

// Of the profiler's heap.
bool is_device_heap(const void *p);
bool is_pinned_heap(const void *p);
unsigned long long heap_offset(const void *p);

}  // namespace cudasim
