// mode: coherence
// flags: coherent/allocated_again_host.c -Icoherent
// output: 0 0 1 64
// output: 0 0 2 64
// output: 0 0 3 64
#include "gpu.cuh"
