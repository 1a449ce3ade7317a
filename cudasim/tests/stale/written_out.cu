// mode: coherence
// flags: stale/written_out_host.c -Icoherent
// finding: stale/written_out_host.c:10: host code: stale value: the host reads 80 bytes of host memory, whose newer value is on the device
#include "gpu.cuh"
