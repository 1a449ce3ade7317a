#include "findings.h"

#include <set>
#include <unistd.h>

#include "block.h"
#include "device_arena.h"
#include "observer.h"
#include "stream_order.h"
#include "source_line.h"
#include "symbols.h"
#include "turn.h"

namespace cudasim {

constexpr int findings_exit_status = 98;
constexpr int max_findings = 200;  // beyond this, one fault only echoes another

static int finding_count;

// Never destroyed: findings are made until the very end of the program.
static std::set<std::pair<int, unsigned>> &seen_codes() {
  static auto &codes = *new std::set<std::pair<int, unsigned>>;
  return codes;
}

static std::set<std::string> &seen_places() {
  static auto &places = *new std::set<std::string>;
  return places;
}

bool is_new(Fault fault, unsigned code) {
  return finding_count < max_findings && seen_codes().insert({int(fault), code}).second;
}

static std::string position_text(unsigned x, unsigned y, unsigned z) {
  return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
}

std::string thread_text(unsigned thread) {
  const dim3 &extent = current_launch()->shape->block;
  return "thread " + position_text(thread % extent.x, thread / extent.x % extent.y,
                                   thread / extent.x / extent.y);
}

std::string block_text(unsigned long long block) {
  const dim3 &grid = current_launch()->shape->grid;
  return "block " + position_text(unsigned(block % grid.x), unsigned(block / grid.x % grid.y),
                                  unsigned(block / grid.x / grid.y));
}

std::string access_text(Access access) {
  switch (access) {
    case Access::read: return "read";
    case Access::write: return "write";
    case Access::atomic: return "atomic update";
    case Access::block_atomic: break;
  }
  return "atomic update of block scope";
}

static std::string kernel_name() {
  const Launch &launch = *current_launch();
  const char *name = function_name(launch.kernel_address);
  return name ? name : launch.site.kernel;
}

static std::string block_actor() {
  return "kernel '" + kernel_name() + "', " + block_text(current_block());
}

static std::string actor() {
  return in_kernel() ? block_actor() + " " + thread_text(current_thread()) : "host code";
}

static void tell(Fault fault, const std::string &place, const std::string &who,
                 const std::string &what) {
  if (!seen_places().insert(std::to_string(int(fault)) + " " + place).second) return;
  ++finding_count;
  std::string text = "cudasim: " + place + ": " + who + ": " + what + "\n";
  fflush(stdout);
  fputs(text.c_str(), stderr);
}

void report_at(Fault fault, const std::string &place, const std::string &what) {
  tell(fault, place, actor(), what);
}

void report_block(Fault fault, const std::string &place, const std::string &what) {
  tell(fault, place, block_actor(), what);
}

void report(Fault fault, unsigned code, const std::string &what) {
  report_at(fault, source_line(code).text(), what);
}

// ---- names -------------------------------------------------------------------------------

static bool is_name_part(char c) { return isalnum((unsigned char)c) || strchr("_.->[]", c); }

static size_t nth_call(const std::string &text, size_t n) {
  size_t at = text.find("cudaMalloc");
  while (n-- && at != std::string::npos) at = text.find("cudaMalloc", at + 1);
  return at;
}

// How many other calls on the same line come before this one: the compiler keeps their order.
static size_t calls_before(const Region &region, const SourceLine &place) {
  std::set<unsigned> before;
  for (const Region *other : device_regions())
    if (other->allocated_at < region.allocated_at) before.insert(other->allocated_at);
  size_t count = 0;
  for (unsigned code : before) count += source_line(code).text() == place.text();
  return count;
}

// The variable that a call of cudaMalloc fills, read from the program's source:
// `cudaMalloc((void **)&d_A, n)` gives `d_A`.
static std::string variable_name(const Region &region, const SourceLine &place) {
  std::string text = source_text(place);
  bool several = nth_call(text, 1) != std::string::npos;
  size_t call = nth_call(text, several ? calls_before(region, place) : 0);
  size_t at = call == std::string::npos ? call : text.find('(', call);
  if (at == std::string::npos) return "";
  size_t comma = text.find(',', at), ampersand = text.find('&', at);
  if (ampersand != std::string::npos && ampersand < comma) at = ampersand;
  size_t begin = at + 1, end = begin;
  while (end < text.size() && is_name_part(text[end])) ++end;
  return text.substr(begin, end - begin);
}

static std::string allocation_text(const Region &region) {
  SourceLine place = source_line(region.allocated_at);
  std::string name = variable_name(region, place);
  std::string where = "allocated at " + place.text();
  return name.empty() ? "an array of " + std::to_string(region.bytes) + " bytes (" + where + ")"
                      : "'" + name + "' (" + where + ")";
}

std::string region_text(const Region &region) {
  std::string name = region.name ? std::string("'") + region.name + "'" : "";
  switch (region.kind) {
    case RegionKind::shared: return "shared " + name;
    case RegionKind::dynamic_shared: return "dynamic shared memory";
    case RegionKind::variable: return "device variable " + name;
    case RegionKind::constant: return "constant " + name;
    case RegionKind::managed: if (region.name) return "managed variable " + name; break;
    case RegionKind::device: break;
  }
  return allocation_text(region);
}

std::string element_text(const Region &region, size_t offset, size_t bytes) {
  std::string text = bytes && offset % bytes == 0 ? "element " + std::to_string(offset / bytes)
                                                  : "byte " + std::to_string(offset);
  return text + " of " + region_text(region);
}

// ---- the end of the program --------------------------------------------------------------

static void report_leaks() {
  for (const Region *region : device_regions())
    if (!region->freed && !region->kept && is_new(Fault::leak, region->allocated_at))
      report(Fault::leak, region->allocated_at,
             "leak: " + std::to_string(region->bytes) + " bytes of device memory, " +
                 region_text(*region) + ", are never freed");
}

static Site rejected_launch;

void observe_rejected_launch(const Launch &launch) { rejected_launch = launch.site; }

static void report_unnoticed_launch_error() {
  cudaError_t error = cudaPeekAtLastError();
  if (error == cudaSuccess || !rejected_launch.kernel) return;
  report_at(Fault::launch,
            short_path(rejected_launch.file) + ":" + std::to_string(rejected_launch.line),
            std::string("failed launch: kernel '") + rejected_launch.kernel + "' did not run (" +
                cudaGetErrorString(error) + ") and the program never asked");
}

[[noreturn]] static void end_with_findings() {
  fprintf(stderr, "cudasim: %d finding(s)\n", finding_count);
  fflush(nullptr);
  _exit(findings_exit_status);
}

void end_with_finding(const std::string &place, const std::string &why) {
  ++finding_count;
  std::string where = place.empty() ? "" : place + ": ";
  fflush(stdout);
  fprintf(stderr, "cudasim: %s%s: %s\n", where.c_str(), actor().c_str(), why.c_str());
  end_with_findings();
}

void observe_trap(const Place &place) {
  end_with_finding(short_path(place.file) + ":" + std::to_string(place.line), "__trap was called");
}

static void finish() {
  Turn turn;
  wait_for_all_devices();
  report_unnoticed_launch_error();
  report_leaks();
  if (finding_count) end_with_findings();
  if (getenv("CUDASIM_VERBOSE")) fprintf(stderr, "cudasim: 0 finding(s)\n");
}

// Registered first, so that it runs last, after the program's own destructors.
__attribute__((constructor(101))) static void watch_exit() { atexit(finish); }

}  // namespace cudasim
