// What a device of compute capability 9.0 allows.
#pragma once

namespace cudasim {

constexpr unsigned max_block_z = 64;
constexpr unsigned max_grid_x = 0x7fffffff;
constexpr unsigned max_grid_yz = 65535;
constexpr size_t default_shared_bytes = 48 * 1024;
constexpr size_t max_dynamic_shared_bytes = 227 * 1024;
constexpr size_t reserved_shared_bytes = 1024;  // of each block, for the system

// What a multiprocessor has for the blocks that it runs at the same time.
constexpr size_t multiprocessor_shared_bytes = 228 * 1024;
constexpr unsigned multiprocessor_threads = 2048;
constexpr unsigned multiprocessor_blocks = 32;

constexpr unsigned multiprocessor_registers = 65536;

// What an H100 has, where no target file says otherwise.
constexpr char default_device_name[] = "NVIDIA H100 (SXM, 80 GB)";
constexpr unsigned multiprocessor_count = 132;
constexpr size_t device_memory_bytes = 80000000000;
constexpr size_t l2_bytes = size_t(50) << 20;
constexpr size_t l1_bytes = 256 * 1024;  // together with shared memory
constexpr size_t shared_carveouts[] = {0,          8 * 1024,   16 * 1024,  32 * 1024,  64 * 1024,
                                       100 * 1024, 132 * 1024, 164 * 1024, 196 * 1024, 228 * 1024};

}  // namespace cudasim
