#pragma once

namespace cudasim {

// Host memory from cudaMallocHost, which kernels may use.
bool is_pinned(const void *p);

}  // namespace cudasim
