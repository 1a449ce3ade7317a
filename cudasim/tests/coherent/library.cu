// mode: coherence
// flags: coherent/library_host.c -Icoherent
// output: 0
#include "gpu.cuh"
