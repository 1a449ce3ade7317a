#include <complex.h>

void rotate(int n, double complex *z, double complex w)
{
#pragma scop
    for (int i = 0; i < n; i++)
        z[i] = z[i] * w;
#pragma endscop
}
