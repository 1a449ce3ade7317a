// mode: coherence
// flags: stale/early_read_host.c -Icoherent
// output: 1
// finding: stale/early_read_host.c:9: host code: stale value: the host reads 8 bytes of host memory, whose newer value is on the device, written at .*:4
#include "gpu.cuh"
