// mode: coherence
// flags: stale/freed_host.c -Icoherent
// output: 0
// finding: stale/freed_host.c:10: host code: stale value: the host reads 8 bytes of host memory, whose newer value was lost at coherent/gpu.cuh:18
#include "gpu.cuh"
