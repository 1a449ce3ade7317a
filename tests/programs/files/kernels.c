// Functions with one region each, which other files call.
#include "kernels.h"

void smooth(int n, const double *restrict x, double *restrict y)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;
#pragma endscop
}

double correct(int n, const double *restrict x, double *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = x[i] + 0.125 * y[i];
#pragma endscop
    return y[n / 2] - x[n / 2];
}

double first(const double *x)
{
    return x[0] + x[1];
}
