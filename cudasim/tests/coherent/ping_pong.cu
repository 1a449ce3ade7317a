// mode: coherence
// flags: coherent/ping_pong_host.c -Icoherent
// output: 11
#include "gpu.cuh"
