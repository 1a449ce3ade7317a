// Check mode keeps the order that streams, events and waits give to work (check/order), finds accesses
// that nothing orders, and can run work in another order than it was asked for.
#pragma once

#include <functional>

#include "device_memory.h"
#include "order/clock.h"

namespace cudasim {

struct StreamState {
  unsigned number = 0;  // see streams.h
};
struct EventState {
  Clock clock;
};

void order_new_stream(cudaStream_t stream, const void *caller);
void order_destroyed_stream(cudaStream_t stream);
void order_event(EventState &event, cudaStream_t stream);
void order_after_event(cudaStream_t stream, const EventState &event);
void wait_for_stream(cudaStream_t stream);
void wait_for_event(const EventState &event);
void wait_for_device(int device);
void wait_for_all_devices();
bool finds_stream_done(cudaStream_t stream);
bool finds_event_done(const EventState &event);

typedef std::function<cudaError_t()> Work;
cudaError_t order_launch(const Launch &launch, cudaError_t (*run)(const Launch &));
cudaError_t order_copy(const Copy &copy, const StreamPlace &place, const void *caller, const Work &work);
cudaError_t order_fill(const Fill &fill, const StreamPlace &place, const void *caller, const Work &work);
cudaError_t order_free(void *memory, cudaStream_t stream, const void *caller, const Work &work);
void order_allocation(void *memory, cudaStream_t stream, const void *caller);
void order_host_function(cudaStream_t stream, const void *caller, const std::function<void()> &work);

}  // namespace cudasim
