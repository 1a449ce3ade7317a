// mode: coherence
// flags: stale/old_copy_host.c -Icoherent
// finding: .*:4: kernel 'add', block \(0,0,0\) thread \(3,0,0\): stale value: the kernel reads element 3 of 'd' \(allocated at coherent/gpu.cuh:8\), whose newer value is on the host, written at stale/old_copy_host.c:7
#include "gpu.cuh"
