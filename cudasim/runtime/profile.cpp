// The whole runtime of profile mode as one translation unit; see fast.cpp.

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
#include "workers_in_order.cpp"

#include "symbols.cpp"
#include "source_line.cpp"
#include "profile/address_space.cpp"
#include "profile/request.cpp"
#include "profile/l1_cache.cpp"
#include "profile/l2_cache.cpp"
#include "profile/wave.cpp"
#include "profile/registers.cpp"
#include "profile/kernel_profile.cpp"
#include "profile/copy_profile.cpp"
#include "profile/replay.cpp"
#include "profile/warp_trace.cpp"
#include "profile/instrumentation.cpp"
#include "profile/block_code.cpp"
#include "profile/loops.cpp"
#include "profile/report.cpp"
#include "profile/json.cpp"
#include "profile/price.cpp"
#include "profile/table.cpp"

#include "allocation_table.cpp"
#include "profile/device_heap.cpp"
#include "plain_device_memory.cpp"
#include "memory_api.cpp"
#include "memory_3d_api.cpp"
#include "device_api.cpp"
#include "stream_api.cpp"
