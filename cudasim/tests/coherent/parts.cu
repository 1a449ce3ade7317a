// mode: coherence
// flags: coherent/parts_host.cpp -Icoherent
// output: 1 1
// output: 2
// output: 8 3 6
#include "gpu.cuh"
