#include "hidden_header_gpu.h"

void fill(int n, double a[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = FACTOR * i;
#pragma endscop
}
