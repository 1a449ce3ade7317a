// How many blocks run on a multiprocessor at the same time.
#pragma once

#include "device_model.h"

namespace cudasim {

struct BlockNeeds {
  unsigned threads;
  size_t shared_bytes;  // static and dynamic
  unsigned registers;   // of a thread; 0 if they are not known
};

// Each of the four schedulers has its own part of the registers, so the warps are a multiple of four if
// registers limit them (NVIDIA's occupancy calculator).
constexpr unsigned schedulers = 4;

// A warp's registers come in pieces of this size.
constexpr unsigned register_unit = 256;

inline unsigned long long blocks_by_registers(unsigned registers, unsigned warps) {
  unsigned of_warp = (registers * 32 + register_unit - 1) / register_unit * register_unit;
  unsigned long long resident = device_model().multiprocessor.registers / of_warp;
  return resident / schedulers * schedulers / warps;
}

// None if one block needs more than there is.
inline unsigned blocks_per_multiprocessor(const BlockNeeds &needs) {
  const MultiprocessorModel &model = device_model().multiprocessor;
  unsigned warps = (needs.threads + 31) / 32;
  unsigned long long blocks = model.threads / (32 * warps);
  auto limit = [&](unsigned long long most) { blocks = most < blocks ? most : blocks; };
  limit(model.blocks);
  unsigned long long shared = needs.shared_bytes + model.reserved_shared_bytes;
  if (shared) limit(model.shared_bytes / shared);
  if (needs.registers) limit(blocks_by_registers(needs.registers, warps));
  return unsigned(blocks);
}

}  // namespace cudasim
