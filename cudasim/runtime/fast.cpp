// The whole runtime of fast mode as one translation unit: it is compiled at every link when
// there is no cache, and one quick compilation beats a dozen.

#include "common.h"

#include "limits.h"

#include "device_model.cpp"

#include "fiber.cpp"

#include "block.cpp"
#include "warp.cpp"
#include "shared_window.cpp"

#include "launch.cpp"
#include "static_shared.cpp"
#include "dynamic_shared_limit.cpp"
#include "kernel_api.cpp"
#include "last_error.cpp"
#include "devices.cpp"
#include "fast/workers.cpp"

#include "allocation_table.cpp"
#include "fast/device_heap.cpp"
#include "plain_device_memory.cpp"
#include "memory_api.cpp"
#include "memory_3d_api.cpp"
#include "device_api.cpp"
#include "stream_api.cpp"

namespace cudasim {
void memory_fence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
}
