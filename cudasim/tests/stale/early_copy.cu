// mode: coherence
// flags: stale/early_copy_host.cpp -Icoherent
// output: 3
// finding: stale value: the host reads 80 bytes of host memory, whose newer value is on the device
#include "gpu.cuh"
