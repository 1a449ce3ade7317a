// Where the linker gathers __device__, __constant__ and __managed__ variables.
#pragma once

extern "C" {
extern char __start_cudasim_device[] __attribute__((weak));
extern char __stop_cudasim_device[] __attribute__((weak));
extern char __start_cudasim_constant[] __attribute__((weak));
extern char __stop_cudasim_constant[] __attribute__((weak));
extern char __start_cudasim_managed[] __attribute__((weak));
extern char __stop_cudasim_managed[] __attribute__((weak));
}

namespace cudasim {

inline bool lies_in(const void *p, const char *start, const char *stop) {
  return p >= start && p < stop;
}

inline bool is_constant_variable(const void *p) {
  return lies_in(p, __start_cudasim_constant, __stop_cudasim_constant);
}

inline bool is_device_variable(const void *p) {
  return lies_in(p, __start_cudasim_device, __stop_cudasim_device) || is_constant_variable(p) ||
         lies_in(p, __start_cudasim_managed, __stop_cudasim_managed);
}

}  // namespace cudasim
