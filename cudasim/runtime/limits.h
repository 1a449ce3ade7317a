// What a device of compute capability 9.0 allows.
#pragma once

namespace cudasim {

constexpr unsigned max_block_z = 64;
constexpr unsigned max_grid_x = 0x7fffffff;
constexpr unsigned max_grid_yz = 65535;
constexpr size_t default_shared_bytes = 48 * 1024;
constexpr size_t max_dynamic_shared_bytes = 227 * 1024;

}  // namespace cudasim
