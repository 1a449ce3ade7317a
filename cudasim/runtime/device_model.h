// The sizes of the GPU that is simulated: an H100's, unless the file that CUDASIM_TARGET names says
// otherwise (targets/README.md lists its fields).  All sizes are in bytes.
#pragma once

namespace cudasim {

constexpr unsigned sector_bytes = 32;

struct CacheModel {
  unsigned long long bytes, line_bytes, ways;
};

constexpr int max_carveouts = 16;

// The memory of a multiprocessor that is shared memory and L1 cache.
struct L1Model {
  unsigned long long bytes, line_bytes;
  // How much of it may be shared memory, ascending; none are listed if any size may be.
  unsigned long long carveouts[max_carveouts];
  int carveout_count;

  // What is left for the cache while `shared` bytes are shared memory.
  unsigned long long cache_bytes(unsigned long long shared) const;
};

// What a multiprocessor has for the blocks that it runs at the same time.
struct MultiprocessorModel {
  unsigned long long threads, blocks, shared_bytes;
  unsigned long long reserved_shared_bytes;  // of each block, for the system
  unsigned long long registers;
};

constexpr unsigned long long max_device_memory_bytes = 1ull << 60;

struct DeviceModel {
  char name[128];
  unsigned long long multiprocessors, memory_bytes;
  unsigned long long block_shared_bytes;  // that a block may have, if its kernel asks for it
  MultiprocessorModel multiprocessor;
  L1Model l1;
  CacheModel l2;
};

const DeviceModel &device_model();

// Ends the program with status 2: the environment variable has a wrong value.
[[noreturn]] void refuse_setting(const char *variable, const char *value, const char *what);

// The positive number in an environment variable, or the standard where it is not set.  The program
// ends with status 2 if it holds anything else, or more than `most`.
unsigned long long number_setting(const char *variable, unsigned long long standard,
                                  unsigned long long most);

}  // namespace cudasim
