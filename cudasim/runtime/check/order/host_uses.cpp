#include "host_uses.h"

#include <deque>

#include "findings.h"
#include "order/interval_set.h"
#include "order/streams.h"
#include "source_line.h"
#include "turn.h"

namespace cudasim {

struct HostUse {
  Operation operation;
  IntervalSet read, written, atomic;

  IntervalSet &set_of(Access access) {
    return access == Access::read ? read : access == Access::write ? written : atomic;
  }
};

bool any_host_uses;

static std::deque<HostUse> &uses() {
  static auto &list = *new std::deque<HostUse>;
  return list;
}

// Most accesses are of other memory.
static size_t lowest = ~size_t(0), highest;

static HostUse &use_of(const Operation &operation) {
  for (auto use = uses().rbegin(); use != uses().rend(); ++use)
    if (use->operation.stream == operation.stream && use->operation.count == operation.count) return *use;
  uses().push_back({operation, {}, {}, {}});
  return uses().back();
}

// ---- races ---------------------------------------------------------------------------------

static bool is_by_host(const Operation *user) { return !user; }

static void report_use(const Operation *user, const HostUse &other, Access access,
                       const char *other_verb, unsigned code) {
  if (!is_new(Fault::stream_race, code)) return;
  bool is_copy = user && user->kind == OperationKind::copy;
  std::string what = is_copy ? "the copy in " + stream_text(user->stream) +
                                   (access == Access::read ? " reads" : " writes")
                             : access_text(access) + " of";
  report(Fault::stream_race, code,
         "race between streams: " + what + " host memory that " + operation_text(other.operation) + " " +
             other_verb +
             (is_by_host(user) ? ", and the host has not waited for it" : ", with nothing to order them"));
}

// Reads what an atomic operation of another thread's host function has stored: that function's
// work is known then.
static bool learns_from(const HostUse &other, Access access, size_t begin, size_t end) {
  if (access != Access::atomic || !other.atomic.overlaps(begin, end)) return false;
  host_learns(other.operation.clock);
  return true;
}

static void compare_uses(const Operation *user, const Clock &clock, size_t begin, size_t end, Access access,
                         unsigned code) {
  for (const HostUse &other : uses()) {
    if (other.operation.is_before(clock)) continue;
    if (is_by_host(user) && learns_from(other, access, begin, end)) return;
    bool written = other.written.overlaps(begin, end) || other.atomic.overlaps(begin, end);
    bool read = access != Access::read && other.read.overlaps(begin, end);
    if (written || read) return report_use(user, other, access, written ? "writes" : "reads", code);
  }
}

static void check_use(const Operation *user, const Clock &clock, const void *p, size_t bytes,
                      Access access, unsigned code) {
  size_t begin = reinterpret_cast<size_t>(p), end = begin + bytes;
  if (end > lowest && begin < highest) compare_uses(user, clock, begin, end, access, code);
}

// ---- what is told --------------------------------------------------------------------------

void add_host_use(const Operation &operation, const void *p, size_t bytes, Access access,
                  unsigned code) {
  if (any_host_uses) check_use(&operation, operation.clock, p, bytes, access, code);
  size_t begin = reinterpret_cast<size_t>(p), end = begin + bytes;
  use_of(operation).set_of(access).add(begin, end);
  lowest = std::min(lowest, begin);
  highest = std::max(highest, end);
  __atomic_store_n(&any_host_uses, true, __ATOMIC_RELEASE);
}

static bool is_on_stack_of_host_function(const void *p) {
  constexpr size_t stack_bytes = size_t(8) << 20;
  return size_t(host_function_frame - static_cast<const char *>(p)) < stack_bytes;
}

void note_host_use(const void *p, size_t bytes, Access access, const void *caller) {
  Turn turn;
  if (!host_function) check_use(nullptr, host_clock(), p, bytes, access, code_of(caller));
  else if (!is_on_stack_of_host_function(p))
    add_host_use(*host_function, p, bytes, access, code_of(caller));
}

void forget_host_uses(const Clock &host) {
  std::deque<HostUse> &list = uses();
  if (list.empty()) return;
  list.erase(std::remove_if(list.begin(), list.end(),
                            [&](const HostUse &use) { return use.operation.is_before(host); }),
             list.end());
  if (!list.empty()) return;
  lowest = ~size_t(0), highest = 0;
  any_host_uses = false;
}

}  // namespace cudasim
