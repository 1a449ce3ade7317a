// Streams and events: handles, and what each mode makes of their order (stream_order.h).

#include "last_error.h"
#include "observer.h"
#include "stream.h"
#include "turn.h"

#define CALLER __builtin_return_address(0)

namespace cudasim {

static cudaError_t create_stream(cudaStream_t *stream, unsigned flags, const void *caller) {
  if (!stream) return record_error(cudaErrorInvalidValue);
  *stream = new CUstream_st{flags, {}};
  order_new_stream(*stream, caller);
  return cudaSuccess;
}

static bool is_predefined(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

}  // namespace cudasim

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return cudasim::create_stream(stream, flags, CALLER);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudasim::create_stream(stream, cudaStreamDefault, CALLER);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int) {
  return cudasim::create_stream(stream, flags, CALLER);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  *least = *greatest = 0;
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  if (!function) return cudasim::record_error(cudaErrorInvalidValue);
  cudasim::order_host_function(stream, CALLER, [=] { function(data); });
  return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned) {
  if (!callback) return cudasim::record_error(cudaErrorInvalidValue);
  cudasim::order_host_function(stream, CALLER, [=] { callback(stream, cudaSuccess, data); });
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  cudasim::wait_for_stream(stream);
  return cudaSuccess;
}

// `cudaErrorNotReady` is no error that cudaGetLastError would give.
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return cudasim::finds_stream_done(stream) ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (!event) return cudasim::record_error(cudaErrorInvalidResourceHandle);
  cudasim::order_after_event(stream, event->state);
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (cudasim::is_predefined(stream))
    return cudasim::record_error(cudaErrorInvalidResourceHandle);
  cudasim::order_destroyed_stream(stream);
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
  *event = new CUevent_st{};
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (!event) return cudasim::record_error(cudaErrorInvalidResourceHandle);
  cudasim::order_event(event->state, stream);
  clock_gettime(CLOCK_MONOTONIC, &event->recorded);
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (!event) return cudasim::record_error(cudaErrorInvalidResourceHandle);
  cudasim::wait_for_event(event->state);
  return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (!event) return cudasim::record_error(cudaErrorInvalidResourceHandle);
  return cudasim::finds_event_done(event->state) ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  if (!start || !stop) return cudasim::record_error(cudaErrorInvalidResourceHandle);
  const timespec &a = start->recorded, &b = stop->recorded;
  *milliseconds = float(1e3 * double(b.tv_sec - a.tv_sec) + 1e-6 * double(b.tv_nsec - a.tv_nsec));
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
