// Device memory in check mode: a wide range of addresses in which every allocation has a
// gap before and after it, and freed addresses are never used again.
#pragma once

#include <vector>

#include "region.h"

namespace cudasim {

bool is_device_address(const void *p);

// The allocation at or around a device address, freed ones too; null in the wide open.
Region *device_region(const void *p);

// Of all devices, with managed memory.
size_t allocated_bytes();

// How far allocations, freed ones too, reach into the part that the host is kept out of.
size_t guarded_addresses_used();

// All allocations ever made.
const std::vector<Region *> &device_regions();

}  // namespace cudasim
