#include "copy_check.h"

#include "device_arena.h"
#include "device_memory.h"
#include "device_variables.h"
#include "findings.h"
#include "memory_guard.h"
#include "observer.h"
#include "source_line.h"

namespace cudasim {

// One side of a copy: rows of bytes, and the device memory that they lie in, if any.
struct Side {
  const char *role;
  char *begin;
  size_t pitch, width, height;
  bool expected_on_device, either;
  Region *region;

  size_t extent() const { return pitch * (height - 1) + width; }
  size_t offset(size_t row) const { return size_t(begin - region->begin) + row * pitch; }
};

static Region *region_around(const void *p) {
  return is_device_address(p) ? device_region(p) : variable_region(p);
}

static cudaError_t wrong(const void *caller, const std::string &what) {
  unsigned code = code_of(caller);
  if (is_new(Fault::copy, code)) report(Fault::copy, code, "wrong copy: " + what);
  return cudaErrorInvalidValue;
}

static cudaError_t check_direction(const Side &side, const void *caller) {
  bool on_device = side.region || is_device_address(side.begin);
  bool managed = side.region && side.region->kind == RegionKind::managed;
  if (side.either || managed || on_device == side.expected_on_device) return cudaSuccess;
  if (on_device)
    return wrong(caller, std::string(side.role) + " is " + region_text(*side.region) +
                             ", but the direction says host memory");
  return wrong(caller, std::string(side.role) + " is host memory, but the direction says device");
}

static std::string extent_text(long start, size_t bytes, const Region &region) {
  return " reaches from byte " + std::to_string(start) + " to " +
         std::to_string(start + long(bytes)) + " of " + region_text(region) + ", which has " +
         std::to_string(region.bytes) + " bytes";
}

static cudaError_t check_bounds(const Side &side, const void *caller) {
  if (!side.region) return cudaSuccess;
  if (side.region->freed)
    return wrong(caller, std::string(side.role) + " is " + region_text(*side.region) +
                             ", freed at " + source_line(side.region->freed_at).text());
  if (side.region->holds(side.begin, side.extent())) return cudaSuccess;
  long start = side.begin - side.region->begin;
  return wrong(caller, side.role + extent_text(start, side.extent(), *side.region));
}

// A symbol's size is known without its region: the copy never comes this far.
void observe_beyond_symbol(const void *symbol, size_t bytes, size_t offset, const void *caller) {
  const Region *region = variable_region(symbol);
  if (region) wrong(caller, "the copy" + extent_text(long(offset), bytes, *region));
}

void observe_foreign_memory(int device, const void *p, const char *role, const void *caller) {
  const Region *region = region_around(p);
  std::string what = "host memory";
  if (region) what = region_text(*region) + " of device " + std::to_string(region->device);
  wrong(caller, std::string(role) + " is " + what + ", but the call says device " + std::to_string(device));
}

static cudaError_t check_side(const Side &side, const void *caller) {
  cudaError_t error = check_direction(side, caller);
  return error == cudaSuccess ? check_bounds(side, caller) : error;
}

// Copying what has no value to the host shows garbage; between device arrays, the copy has
// no value either.
static void check_values(const Side &from, const void *caller) {
  for (size_t row = 0; row < from.height; ++row) {
    size_t first = from.region->first_uninitialised(from.offset(row), from.width);
    if (first == from.width || !is_new(Fault::uninitialised, code_of(caller))) continue;
    report(Fault::uninitialised, code_of(caller),
           "copy to the host of " + region_text(*from.region) + ", which has no value at byte " +
               std::to_string(from.offset(row) + first));
  }
}

static void record_values(const Side &to, const Side &from, unsigned code) {
  for (size_t row = 0; row < to.height; ++row) {
    if (from.region)
      to.region->copy_initialised(to.offset(row), *from.region, from.offset(row), to.width);
    else
      to.region->set_written(to.offset(row), to.width, code);
  }
}

cudaError_t copy_memory(const Copy &copy, const void *caller) {
  bool either = copy.kind == cudaMemcpyDefault;
  bool to_device = copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyDeviceToDevice;
  bool from_device = copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyDeviceToDevice;
  Side to = {"the destination", static_cast<char *>(copy.to), copy.to_pitch, copy.width,
             copy.height, to_device, either, region_around(copy.to)};
  Side from = {"the source", static_cast<char *>(const_cast<void *>(copy.from)), copy.from_pitch,
               copy.width, copy.height, from_device, either, region_around(copy.from)};
  cudaError_t error = check_side(to, caller);
  if (error == cudaSuccess) error = check_side(from, caller);
  if (error != cudaSuccess) return error;
  if (from.region && !to.region) check_values(from, caller);
  if (to.region) record_values(to, from, code_of(caller));
  DeviceMemoryOpen open;
  for (size_t row = 0; row < copy.height; ++row)
    memmove(to.begin + row * to.pitch, from.begin + row * from.pitch, copy.width);
  return cudaSuccess;
}

cudaError_t fill_memory(const Fill &fill, const void *caller) {
  Side to = {"the destination", static_cast<char *>(fill.to), fill.pitch, fill.width, fill.height,
             true, false, region_around(fill.to)};
  cudaError_t error = check_side(to, caller);
  if (error != cudaSuccess) return error;
  DeviceMemoryOpen open;
  for (size_t row = 0; row < fill.height; ++row) {
    to.region->set_written(to.offset(row), to.width, code_of(caller));
    memset(to.begin + row * to.pitch, fill.value, fill.width);
  }
  return cudaSuccess;
}

static bool wrong_free(const void *caller, const std::string &what) {
  unsigned code = code_of(caller);
  if (is_new(Fault::free, code)) report(Fault::free, code, "wrong free: " + what);
  return false;
}

bool check_free(const void *pointer, const Region *region, const void *caller) {
  if (!region) return wrong_free(caller, "cudaFree of a pointer that cudaMalloc did not give");
  if (region->freed)
    return wrong_free(caller, "double free of " + region_text(*region) + ", freed before at " +
                                  source_line(region->freed_at).text());
  if (region->begin != pointer)
    return wrong_free(caller, "cudaFree of a pointer into the middle of " + region_text(*region));
  return true;
}

}  // namespace cudasim
