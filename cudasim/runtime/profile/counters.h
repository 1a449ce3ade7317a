// What is counted, for a kernel as a whole and for each of its source lines.
#pragma once

namespace cudasim {

typedef unsigned long long Count;

enum class Access : unsigned char { read, write, atomic };
constexpr int access_kinds = 3;

// Requests of warps to global memory.
struct Traffic {
  Count requests;
  Count lanes;            // that took part in them
  Count sectors;          // of 32 bytes that went to L2
  Count l1_hits;          // sectors that did not, because L1 had them
  Count touched_sectors;  // both together
  Count ideal_sectors;    // as few as could hold the distinct bytes of each request
  Count bytes;            // distinct bytes, request by request
  Count width_bytes;      // bytes of a lane, request by request
  Count l1_wavefronts;    // lines of L1 that were looked for
};

// Requests to memory that serves one word of each bank at a time.
struct BankUse {
  Count requests;
  Count lanes;
  Count wavefronts;        // times that the banks were used one after the other
  Count ideal_wavefronts;  // without conflicts
  Count width_bytes;       // bytes of a lane, request by request
};

struct Counters {
  Traffic global[access_kinds];
  Traffic async_copies;  // what asynchronous copies read
  Count async_shared_wavefronts, async_shared_ideal;  // of what they write
  BankUse shared[access_kinds];
  BankUse constant;  // one address at a time
  Count barriers, warp_barriers, exchanges;
  Count branches, divergent_branches;
  Count dram_read_bytes, dram_written_bytes;

  void add(const Counters &other) {
    auto to = reinterpret_cast<Count *>(this);
    auto from = reinterpret_cast<const Count *>(&other);
    for (size_t i = 0; i < sizeof(Counters) / sizeof(Count); ++i) to[i] += from[i];
  }
};

}  // namespace cudasim
