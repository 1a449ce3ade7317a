// mode: coherence
// flags: stale/copy_back_over_host.cpp -Icoherent
// output: 0
// finding: coherent/gpu.cuh:15: host code: stale value: the copy to the host takes byte 40 of 'd' \(allocated at coherent/gpu.cuh:8\), whose newer value on the host, written at stale/copy_back_over_host.cpp:7, it overwrites
#include "gpu.cuh"
