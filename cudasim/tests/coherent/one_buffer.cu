// mode: coherence
// flags: coherent/one_buffer_host.c -Icoherent
// output: 79
#include "gpu.cuh"
