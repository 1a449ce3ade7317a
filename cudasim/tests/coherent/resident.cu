// mode: coherence
// flags: coherent/resident_host.c -Icoherent
// output: 144 990
#include "gpu.cuh"
