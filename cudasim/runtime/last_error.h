#pragma once

namespace cudasim {

// Remembers the error for cudaGetLastError and returns it.
cudaError_t record_error(cudaError_t error);

}  // namespace cudasim
