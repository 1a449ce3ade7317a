#include "order/streams.h"

#include <deque>
#include <memory>

#include "device_arena.h"
#include "device_variables.h"
#include "devices.h"
#include "findings.h"
#include "order/deferred.h"
#include "order/device_uses.h"
#include "order/host_uses.h"
#include "pinned_memory.h"
#include "source_line.h"
#include "stream.h"
#include "symbols.h"
#include "timeline.h"
#include "turn.h"

namespace cudasim {

struct Stream {
  Clock clock;             // what an operation of it that is asked for now comes after
  unsigned count = 0;      // of its operations
  unsigned created_at = 0;
  int device = 0;
  bool is_default = false; // the legacy default stream of its device
  bool blocking = true;    // it and the default stream wait for each other
  bool free = false;       // destroyed, and all its work is known to be done
};

static std::deque<Stream> &streams() {
  static auto &list = *new std::deque<Stream>;
  return list;
}

__thread const Operation *host_function;
__thread const char *host_function_frame;

static Clock &known_to_host() {
  static auto &clock = *new Clock;
  return clock;
}

const Clock &host_clock() { return known_to_host(); }

std::string stream_text(unsigned number) {
  const Stream &stream = streams()[number];
  if (stream.is_default)
    return "the default stream" + (stream.device ? " of device " + std::to_string(stream.device) : "");
  return "the stream created at " + source_line(stream.created_at).text();
}

// ---- streams -------------------------------------------------------------------------------

// A number whose work is done serves again, so that programs may create and destroy streams for ever.
static unsigned new_stream(bool blocking, const void *caller) {
  std::deque<Stream> &list = streams();
  auto unused = std::find_if(list.begin(), list.end(), [](const Stream &s) { return s.free; });
  if (unused == list.end()) unused = list.insert(list.end(), Stream());
  unused->clock.join(known_to_host());
  unused->created_at = code_of(caller);
  unused->device = current_device();
  unused->blocking = blocking;
  unused->free = false;
  return unsigned(unused - list.begin());
}

// Each thread's own default stream, which behaves as one that was created.
static unsigned per_thread_stream() {
  static __thread unsigned number;
  static __thread bool created;
  if (!created) number = new_stream(true, program_image().begin);
  created = true;
  return number;
}

static unsigned default_stream_of(int device) {
  static unsigned numbers[max_devices];
  static bool created[max_devices];
  if (created[device]) return numbers[device];
  created[device] = true;
  numbers[device] = new_stream(true, program_image().begin);
  streams()[numbers[device]].is_default = true;
  streams()[numbers[device]].device = device;
  return numbers[device];
}

static unsigned number_of(cudaStream_t stream) {
  if (!stream || stream == cudaStreamLegacy) return default_stream_of(current_device());
  return stream == cudaStreamPerThread ? per_thread_stream() : stream->state.number;
}

void order_new_stream(cudaStream_t stream, const void *caller) {
  Turn turn;
  stream->state.number = new_stream(!(stream->flags & cudaStreamNonBlocking), caller);
}

void order_destroyed_stream(cudaStream_t stream) {
  Turn turn;
  Stream &own = streams()[stream->state.number];
  own.free = known_to_host()[stream->state.number] >= own.count;
}

// What the stream does next comes after all that the host has waited for.  The default stream and the
// blocking ones also wait for each other.  (CUDA Runtime API, "Stream synchronization behavior".)
static Stream &approach(unsigned number) {
  Stream &stream = streams()[number];
  stream.clock.join(known_to_host());
  if (stream.is_default) {
    for (const Stream &other : streams())
      if (other.blocking && other.device == stream.device) stream.clock.join(other.clock);
  } else if (stream.blocking) {
    stream.clock.join(streams()[default_stream_of(stream.device)].clock);
  }
  return stream;
}

static Operation new_operation(OperationKind kind, cudaStream_t handle, const void *caller) {
  unsigned number = number_of(handle);
  Stream &stream = approach(number);
  stream.clock.advance(number, ++stream.count);
  return {{kind, number, stream.count, caller ? code_of(caller) : 0, {}, nullptr}, stream.clock};
}

// ---- waits ---------------------------------------------------------------------------------

void host_learns(const Clock &done) {
  if (is_deferring()) run_until_done(done);
  known_to_host().join(done);
  forget_operations(known_to_host());
  forget_host_uses(known_to_host());
}

void order_event(EventState &event, cudaStream_t stream) {
  Turn turn;
  event.clock = approach(number_of(stream)).clock;
}

void order_after_event(cudaStream_t stream, const EventState &event) {
  Turn turn;
  approach(number_of(stream)).clock.join(event.clock);
}

void wait_for_stream(cudaStream_t stream) {
  Turn turn;
  host_learns(approach(number_of(stream)).clock);
}

void wait_for_event(const EventState &event) {
  Turn turn;
  host_learns(event.clock);
}

void wait_for_device(int device) {
  Turn turn;
  Clock work;
  for (size_t number = 0; number < streams().size(); ++number)
    if (streams()[number].device == device) work.advance(number, streams()[number].count);
  host_learns(work);
}

void wait_for_all_devices() {
  Turn turn;
  Clock work;
  for (size_t number = 0; number < streams().size(); ++number)
    work.advance(number, streams()[number].count);
  host_learns(work);
}

static bool finds_done(const Clock &clock) {
  if (is_deferring() && !is_done(clock)) run_one();
  if (is_deferring() && !is_done(clock)) return false;
  host_learns(clock);
  return true;
}

bool finds_stream_done(cudaStream_t stream) {
  Turn turn;
  return finds_done(Clock(approach(number_of(stream)).clock));
}

bool finds_event_done(const EventState &event) {
  Turn turn;
  return finds_done(event.clock);
}

// ---- operations ----------------------------------------------------------------------------

// Runs the work as the operation's, at once or later.
static cudaError_t perform(const Operation &operation, const Work &work) {
  auto run = [work](const Operation &self) {
    begin_operation(self);
    cudaError_t error = work();
    end_operation();
    return error;
  };
  if (!is_deferring()) return run(operation);
  defer(operation, [operation, run] { return run(operation); });
  return cudaSuccess;
}

// A launch lives as long as its caller: a copy of it has its own arguments and shape.
static Work kept_launch(const Launch &launch, cudaError_t (*run)(const Launch &)) {
  std::shared_ptr<void> body(launch.copy_body(launch.body), launch.destroy_body);
  Launch kept = launch;
  Shape shape = *launch.shape;
  return [=]() mutable {
    kept.body = body.get();
    kept.shape = &shape;
    return run(kept);
  };
}

cudaError_t order_launch(const Launch &launch, cudaError_t (*run)(const Launch &)) {
  Operation operation = new_operation(OperationKind::kernel, launch.shape->stream, nullptr);
  operation.site = launch.site;
  operation.kernel_address = launch.kernel_address;
  if (is_deferring()) return perform(operation, kept_launch(launch, run));
  begin_operation(operation);
  cudaError_t error = run(launch);
  end_operation();
  return error;
}

// ---- copies and fills ----------------------------------------------------------------------

enum class Holder { device, managed, pinned, pageable };

static Holder holder_of(const void *p) {
  Region *region = is_device_address(p) ? device_region(p) : variable_region(p);
  if (region) return region->kind == RegionKind::managed ? Holder::managed : Holder::device;
  return is_pinned(p) ? Holder::pinned : Holder::pageable;
}

static bool is_host_memory(Holder holder) { return holder >= Holder::pinned; }

static void add_rows(const Operation &operation, const void *begin, size_t pitch, size_t width, size_t height,
                     Access access) {
  if (pitch == width) width *= height, height = 1;
  for (size_t row = 0; row < height; ++row)
    add_host_use(operation, static_cast<const char *>(begin) + row * pitch, width, access,
                 operation.code);
}

// What a copy without `Async` waits for.  From pageable memory to the device: for the stream, before the
// copy, and for the source to have been read.  Within the device: for nothing.  Else for the copy.
// Copies between host and host always wait.
// (CUDA Runtime API, "API synchronization behavior".)
enum class CopyWait { none, before, after };

static CopyWait wait_of(Holder to, Holder from, bool asynchronous) {
  if (is_host_memory(to) && is_host_memory(from)) return CopyWait::after;
  if (asynchronous) return CopyWait::none;
  if (to == Holder::device && from == Holder::device) return CopyWait::none;
  return to == Holder::device && from == Holder::pageable ? CopyWait::before : CopyWait::after;
}

// A copy between devices is "serialized with respect to all pending and future asynchronous work" in the current
// device, the source's and the destination's.  (CUDA Runtime API, `cudaMemcpyPeer`.)
static void serialise(Operation &operation, const StreamPlace &place) {
  auto is_concerned = [&](const Stream &stream) {
    return stream.device == current_device() || stream.device == place.to_device ||
           stream.device == place.from_device;
  };
  for (const Stream &stream : streams())
    if (is_concerned(stream)) operation.clock.join(stream.clock);
  for (Stream &stream : streams())
    if (is_concerned(stream)) stream.clock.join(operation.clock);
}

cudaError_t order_copy(const Copy &copy, const StreamPlace &place, const void *caller, const Work &work) {
  Holder to = holder_of(copy.to), from = holder_of(copy.from);
  CopyWait wait = wait_of(to, from, place.asynchronous);
  if (wait == CopyWait::before) wait_for_stream(place.stream);
  Operation operation = new_operation(OperationKind::copy, place.stream, caller);
  if (!place.asynchronous && place.to_device >= 0) serialise(operation, place);
  if (is_host_memory(from) && wait == CopyWait::none)
    add_rows(operation, copy.from, copy.from_pitch, copy.width, copy.height, Access::read);
  if (is_host_memory(to) && wait == CopyWait::none)
    add_rows(operation, copy.to, copy.to_pitch, copy.width, copy.height, Access::write);
  Copy done = copy;
  cudaError_t error = perform(operation, [=] {
    check_copy_order(done, operation.code);
    cudaError_t result = work();
    if (result == cudaSuccess && wait != CopyWait::after) remember_copy(done, operation.code);
    return result;
  });
  if (wait == CopyWait::after) host_learns(operation.clock);
  // The source has been read; that the device has the bytes, the host does not know.
  if (wait == CopyWait::before && is_deferring()) run_until_done(operation.clock);
  return error;
}

cudaError_t order_fill(const Fill &fill, const StreamPlace &place, const void *caller, const Work &work) {
  Operation operation = new_operation(OperationKind::fill, place.stream, caller);
  Fill done = fill;
  cudaError_t error = perform(operation, [=] {
    check_fill_order(done, operation.code);
    return work();
  });
  if (!place.asynchronous && holder_of(fill.to) != Holder::device) host_learns(operation.clock);
  return error;
}

// ---- allocations, frees and host functions -------------------------------------------------

void order_allocation(void *memory, cudaStream_t stream, const void *caller) {
  Operation operation = new_operation(OperationKind::allocation, stream, caller);
  perform(operation, [=] {
    note_allocation(memory, operation.code);
    return cudaSuccess;
  });
}

cudaError_t order_free(void *memory, cudaStream_t stream, const void *caller, const Work &work) {
  Operation operation = new_operation(OperationKind::free, stream, caller);
  return perform(operation, [=] {
    note_free_in_stream(memory, operation.code);
    return work();
  });
}

// Not within a turn: the function may wait for another thread.
static void run_host_function(const Operation &operation, const std::function<void()> &work) {
  host_function = &operation;
  host_function_frame = static_cast<const char *>(__builtin_frame_address(0));
  work();
  host_function = nullptr;
}

void order_host_function(cudaStream_t stream, const void *caller, const std::function<void()> &work) {
  std::unique_ptr<Turn> turn(new Turn);
  Operation operation = new_operation(OperationKind::host_function, stream, caller);
  if (is_deferring()) {
    defer(operation, [=] {
      run_host_function(operation, work);
      return cudaSuccess;
    });
    return;
  }
  turn.reset();
  run_host_function(operation, work);
}

}  // namespace cudasim
