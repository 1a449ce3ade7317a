#include "copy_profile.h"

#include "address_space.h"
#include "device_memory.h"
#include "devices.h"
#include "l2_cache.h"
#include "observer.h"
#include "source_line.h"

namespace cudasim {

typedef std::map<std::pair<Way, unsigned>, CopyCount> CopyCounts;

static CopyCounts &counts() {
  static auto &map = *new CopyCounts;
  return map;
}

const CopyCounts &copy_counts() { return counts(); }

static void count(Way way, Count calls, Count bytes, const void *caller) {
  CopyCount &entry = counts()[{way, code_of(caller)}];
  entry.calls += calls;
  entry.bytes += bytes;
}

// Copies and fills go to memory; what the cache has of their rows is out of date.
static void forget_rows(const void *begin, size_t pitch, size_t width, size_t height) {
  if (!is_device_heap(begin)) return;
  for (size_t row = 0; row < height; ++row) {
    unsigned long long first = heap_offset(begin) + row * pitch;
    for (int device = 0; device < device_count(); ++device)
      l2_cache(device).forget(first / sector_bytes, (first + width + sector_bytes - 1) / sector_bytes);
  }
}

static Way way_of(const Copy &copy) {
  bool from_device = is_on_device(copy.from), to_device = is_on_device(copy.to);
  if (from_device) return to_device ? Way::device_to_device : Way::device_to_host;
  return to_device ? Way::host_to_device : Way::host_to_host;
}

void observe_copy(const Copy &copy, const void *caller) {
  count(way_of(copy), copy.continues ? 0 : 1, copy.width * copy.height, caller);
  forget_rows(copy.to, copy.to_pitch, copy.width, copy.height);
  forget_rows(copy.from, copy.from_pitch, copy.width, copy.height);
}

void observe_fill(const Fill &fill, const void *caller) {
  count(Way::fill, 1, fill.width * fill.height, caller);
  forget_rows(fill.to, fill.pitch, fill.width, fill.height);
}

}  // namespace cudasim
