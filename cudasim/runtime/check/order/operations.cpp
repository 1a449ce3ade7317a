#include "operations.h"

#include <deque>

#include "order/streams.h"
#include "source_line.h"
#include "symbols.h"
#include "timeline.h"

namespace cudasim {

// An operation that has run, and when.
struct Record {
  OperationName operation;
  unsigned start, end;
};

// A program that never waits would otherwise collect them for ever.
constexpr size_t most_records = 1 << 14;

static std::deque<std::deque<Record>> &records() {
  static auto &by_stream = *new std::deque<std::deque<Record>>;
  return by_stream;
}

static const Operation *operation_now;
static unsigned started, unordered_from;

const Operation *current_operation() { return operation_now; }

bool has_unordered_operations() { return operation_now && unordered_from < started; }

static const Clock &clock_now() {
  const Operation *operation = host_function ? host_function : operation_now;
  return operation ? operation->clock : host_clock();
}

// The first of the stream that the clock does not include.
static std::deque<Record>::const_iterator first_not_in(const Clock &clock, size_t stream) {
  const std::deque<Record> &list = records()[stream];
  return std::partition_point(list.begin(), list.end(), [&](const Record &record) {
    return record.operation.count <= clock[stream];
  });
}

static unsigned first_unordered(const Clock &clock, unsigned now) {
  for (size_t stream = 0; stream < records().size(); ++stream) {
    const std::deque<Record> &list = records()[stream];
    bool all_in = list.empty() || list.back().operation.is_before(clock);
    if (!all_in) now = std::min(now, first_not_in(clock, stream)->start);
  }
  return now;
}

void begin_operation(const Operation &operation) {
  operation_now = &operation;
  started = start_operation_time();
  unordered_from = first_unordered(operation.clock, started);
  settle_until(unordered_from);
}

void end_operation() {
  const Operation &operation = *operation_now;
  if (operation.stream >= records().size()) records().resize(operation.stream + 1);
  std::deque<Record> &list = records()[operation.stream];
  list.push_back({operation, started, end_operation_time()});
  if (list.size() > most_records) list.pop_front();
  operation_now = nullptr;
}

void forget_operations(const Clock &host) {
  for (size_t stream = 0; stream < records().size(); ++stream) {
    std::deque<Record> &list = records()[stream];
    while (!list.empty() && list.front().operation.is_before(host)) list.pop_front();
  }
}

static const Record *record_at(unsigned time) {
  for (const std::deque<Record> &list : records()) {
    auto after = std::partition_point(list.begin(), list.end(),
                                      [&](const Record &record) { return record.start <= time; });
    if (after != list.begin() && time <= std::prev(after)->end) return &*std::prev(after);
  }
  return nullptr;
}

bool is_ordered_access(unsigned time) {
  const Record *record = record_at(time);
  return !record || record->operation.is_before(clock_now());
}

bool is_host_behind() {
  for (const std::deque<Record> &list : records())
    if (!list.empty()) return true;
  return false;
}

// ---- texts ---------------------------------------------------------------------------------

static std::string kernel_text(const OperationName &operation) {
  const char *name = function_name(operation.kernel_address);
  return std::string("kernel '") + (name ? name : operation.site.kernel) + "' (launched at " +
         short_path(operation.site.file) + ":" + std::to_string(operation.site.line) + ")";
}

static std::string what_text(const OperationName &operation) {
  std::string place = " at " + source_line(operation.code).text();
  switch (operation.kind) {
    case OperationKind::kernel: return kernel_text(operation);
    case OperationKind::copy: return "the copy" + place;
    case OperationKind::fill: return "the fill" + place;
    case OperationKind::host_function: return "the host function" + place;
    case OperationKind::allocation: return "the allocation" + place;
    case OperationKind::free: return "the free" + place;
  }
  return "an operation";
}

std::string operation_text(const OperationName &operation) {
  return what_text(operation) + " in " + stream_text(operation.stream);
}

std::string operation_text_at(unsigned time) {
  const Record *record = record_at(time);
  return record ? operation_text(record->operation) : "an operation that was forgotten";
}

}  // namespace cudasim
