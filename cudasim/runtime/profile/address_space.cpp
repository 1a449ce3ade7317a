#include "address_space.h"

#include <algorithm>

#include "block.h"
#include "device_sections.h"
#include "limits.h"
#include "request.h"
#include "symbols.h"

namespace cudasim {

// Device variables have addresses behind the heap's.
constexpr unsigned long long variables_begin = 1ull << 44;

struct Range {
  const char *begin, *end;
  bool holds(const char *p) const { return p >= begin && p < end; }
  void widen(const char *p, size_t bytes) {
    if (!begin || p < begin) begin = p;
    if (p + bytes > end) end = p + bytes;
  }
};

static Range program;
static Range shared;  // of the host thread that launched first

// Every host thread has the same shared variables, at a distance that is the same for all of them.
static ptrdiff_t distance;

static const std::vector<Symbol> &guards() {
  static const auto &list = *new std::vector<Symbol>(thread_local_guards());
  return list;
}

// All thread-local variables of the program are shared memory, but for the runtime's own.
void prepare_locations() {
  static const char *const first = cudasim_dynamic_shared;
  distance = cudasim_dynamic_shared - first;
  if (program.begin) return;
  program = {program_image().begin, program_image().end};
  shared.widen(cudasim_dynamic_shared, max_dynamic_shared_bytes);
  for (const Symbol &symbol : thread_local_symbols()) shared.widen(symbol.begin, symbol.bytes);
  for (const Symbol &guard : guards()) shared.widen(guard.begin, guard.bytes);
  shared.begin -= (unsigned long)shared.begin % (bank_count * bank_bytes);
}

static bool is_position(const char *p) {
  auto within = [=](const void *variable, size_t bytes) {
    return p >= variable && p < static_cast<const char *>(variable) + bytes;
  };
  return within(&threadIdx, sizeof threadIdx) || within(&blockIdx, sizeof blockIdx) ||
         within(&blockDim, sizeof blockDim) || within(&gridDim, sizeof gridDim);
}

static bool lies_in_guard(const char *p) {
  for (const Symbol &guard : guards())
    if (p >= guard.begin && p < guard.begin + guard.bytes) return true;
  return false;
}

static Location location_in_shared(const char *p) {
  return {lies_in_guard(p) ? Space::none : Space::shared, (unsigned long long)(p - shared.begin)};
}

static bool is_own_stack(const char *p) {
  const char *stack = block->current->stack;
  return p >= stack && p < stack + fiber_stack_bytes;
}

// The program's constants are kept in constant memory: what it may write there is the host's.
static Location location_in_program(const char *p) {
  const Image &image = program_image();
  auto offset = (unsigned long long)(p - image.begin);
  if (is_constant_variable(p)) return {Space::constant, offset};
  if (is_device_variable(p)) return {Space::global, variables_begin + offset};
  bool writable = p >= image.writable_begin && p < image.writable_end;
  return {writable ? Space::none : Space::constant, offset};
}

Location location_of(const void *address) {
  auto p = static_cast<const char *>(address);
  if (is_device_heap(p)) return {Space::global, heap_offset(p)};
  if (is_own_stack(p) || is_position(p)) return {Space::none, 0};
  if (shared.holds(p - distance)) return location_in_shared(p - distance);
  if (program.holds(p)) return location_in_program(p);
  if (is_pinned_heap(p)) return {Space::host, heap_offset(p)};
  return {Space::none, 0};
}

bool is_on_device(const void *p) { return is_device_heap(p) || is_device_variable(p); }

}  // namespace cudasim
