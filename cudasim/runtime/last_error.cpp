#include "last_error.h"

namespace cudasim {

static __thread cudaError_t last_error;

cudaError_t record_error(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

}  // namespace cudasim

cudaError_t cudaPeekAtLastError() { return cudasim::last_error; }

cudaError_t cudaGetLastError() {
  cudaError_t error = cudasim::last_error;
  cudasim::last_error = cudaSuccess;
  return error;
}

const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define ENTRY(name, number, text) case name: return text;
    CUDASIM_ERRORS(ENTRY)
#undef ENTRY
  }
  return "unrecognized error code";
}

const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define ENTRY(name, number, text) case name: return #name;
    CUDASIM_ERRORS(ENTRY)
#undef ENTRY
  }
  return "unrecognized error code";
}
