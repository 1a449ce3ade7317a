// mode: coherence
// flags: stale/copy_over_newer_host.c -Icoherent
// output: 0 1
// finding: coherent/gpu.cuh:12: host code: stale value: the copy to the device takes 40 bytes of host memory, whose newer value on the device, written at .*:4, it overwrites
#include "gpu.cuh"
