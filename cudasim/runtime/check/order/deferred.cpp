#include "deferred.h"

#include <deque>
#include <unistd.h>

#include "order/streams.h"

namespace cudasim {

struct Deferred {
  Operation operation;
  Work work;
};

static Clock &done() {
  static auto &clock = *new Clock;
  return clock;
}

static std::deque<std::deque<Deferred>> &queues() {
  static auto &by_stream = *new std::deque<std::deque<Deferred>>;
  return by_stream;
}

// ---- the lot -------------------------------------------------------------------------------

static unsigned long long lot;

static bool read_seed() {
  const char *text = getenv("CUDASIM_ORDER");
  if (!text || !*text) return false;
  char *end;
  lot = strtoull(text, &end, 10);
  if (!*end && *text >= '0' && *text <= '9') return true;
  fprintf(stderr, "cudasim: CUDASIM_ORDER is '%s', which is no number\n", text);
  fflush(nullptr);
  _exit(1);
}

bool is_deferring() {
  static const bool deferring = read_seed();
  return deferring;
}

// splitmix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
static unsigned long long draw() {
  unsigned long long x = lot += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

// ---- running -------------------------------------------------------------------------------

void defer(const Operation &operation, const Work &work) {
  if (operation.stream >= queues().size()) queues().resize(operation.stream + 1);
  queues()[operation.stream].push_back({operation, work});
}

bool is_done(const Clock &needed) { return done().includes(needed); }

static bool may_run(const Operation &operation) {
  Clock before = operation.clock;
  for (size_t stream = 0; stream < before.streams(); ++stream)
    if (stream != operation.stream && done()[stream] < before[stream]) return false;
  return true;
}

static std::vector<size_t> runnable_streams() {
  std::vector<size_t> streams;
  for (size_t stream = 0; stream < queues().size(); ++stream)
    if (!queues()[stream].empty() && may_run(queues()[stream].front().operation))
      streams.push_back(stream);
  return streams;
}

static bool run_any() {
  std::vector<size_t> streams = runnable_streams();
  if (streams.empty()) return false;
  std::deque<Deferred> &queue = queues()[streams[draw() % streams.size()]];
  Deferred next = queue.front();
  queue.pop_front();
  next.work();
  done().advance(next.operation.stream, next.operation.count);
  return true;
}

void run_one() { run_any(); }

void run_until_done(const Clock &needed) {
  while (!is_done(needed)) {
    if (run_any()) continue;
    fprintf(stderr, "cudasim: this is a bug in cudasim: work waits for work that is not there\n");
    abort();
  }
}

}  // namespace cudasim
