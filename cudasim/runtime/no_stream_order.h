// Modes that do not look at the order of streams: work is done when it is asked for.
#pragma once

#include "device_memory.h"

namespace cudasim {

struct StreamState {};
struct EventState {};

inline void order_new_stream(cudaStream_t, const void *) {}
inline void order_destroyed_stream(cudaStream_t) {}
inline void order_event(EventState &, cudaStream_t) {}
inline void order_after_event(cudaStream_t, const EventState &) {}
inline void wait_for_stream(cudaStream_t) {}
inline void wait_for_event(const EventState &) {}
inline void wait_for_device(int) {}
inline void wait_for_all_devices() {}
inline bool finds_stream_done(cudaStream_t) { return true; }
inline bool finds_event_done(const EventState &) { return true; }

template <class Work>
cudaError_t order_launch(const Launch &launch, Work work) { return work(launch); }
template <class Work>
cudaError_t order_copy(const Copy &, const StreamPlace &, const void *, Work work) { return work(); }
template <class Work>
cudaError_t order_fill(const Fill &, const StreamPlace &, const void *, Work work) { return work(); }
template <class Work>
cudaError_t order_free(void *, cudaStream_t, const void *, Work work) { return work(); }
inline void order_allocation(void *, cudaStream_t, const void *) {}
template <class Work>
void order_host_function(cudaStream_t, const void *, Work work) { work(); }

}  // namespace cudasim
