// mode: coherence
// flags: coherent/threads_host.c -Icoherent -pthread
// output: 1840
#include "gpu.cuh"
