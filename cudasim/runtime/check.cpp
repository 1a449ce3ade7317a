// The whole runtime of check mode as one translation unit; see fast.cpp.

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
#include "check/timeline.cpp"
#include "check/order/operations.cpp"
#include "check/order/host_uses.cpp"
#include "check/order/deferred.cpp"
#include "check/order/device_uses.cpp"
#include "check/order/streams.cpp"
#include "check/region.cpp"
#include "check/region_map.cpp"
#include "check/device_arena.cpp"
#include "check/shared_memory.cpp"
#include "check/device_variables.cpp"
#include "allocation_table.cpp"
#include "check/pinned_memory.cpp"
#include "check/findings.cpp"
#include "check/race_check.cpp"
#include "check/async_copies.cpp"
#include "check/address_check.cpp"
#include "check/barrier_check.cpp"
#include "check/copy_check.cpp"
#include "check/memory_guard.cpp"
#include "check/instrumentation.cpp"

#ifdef CUDASIM_COHERENCE
#include "check/coherence/shadow.cpp"
#include "check/coherence/links.cpp"
#include "check/coherence/transitions.cpp"
#include "check/coherence/frames.cpp"
#include "check/coherence/stale_values.cpp"
#include "check/coherence/coherence.cpp"
#include "check/coherence/host_memory.cpp"
#endif

#include "memory_api.cpp"
#include "memory_3d_api.cpp"
#include "device_api.cpp"
#include "stream_api.cpp"
