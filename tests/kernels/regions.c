/* Several regions, in places of many kinds. */
#include "support.h"

static void two(int n, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] + b[i];
#pragma endscop
    if (n > 0)
        a[0] = 1.0;
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 0.5;
#pragma endscop
}

static void repeated(int n, int times, double *a)
{
    for (int t = 0; t < times; t++) {
#pragma scop
        for (int i = 0; i < n; i++)
            a[i] = a[i] * 1.5 + t;
#pragma endscop
        a[t] -= 1.0;
    }
}

static void guarded(int n, double *a)
{
    if (n > 3) {
        #pragma scop
        for (int i = 0; i < n; i++)
            a[i] = -a[i];
        #pragma endscop
    } else {
        #pragma scop
        for (int i = 0; i < n; i++)
            a[i] = 2.0;
        #pragma endscop
    }
}

/* Names that mean something in CUDA or in the generated program. */
static void names(int n, double *threadIdx, double *restrict bx, double min, double tx)
{
    int blockIdx;
#pragma scop
    for (blockIdx = 0; blockIdx < n; blockIdx++) {
        double dev_bx = min * blockIdx;
        threadIdx[blockIdx] = bx[blockIdx] + tx - dev_bx;
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *a = doubles(n + 5), *b = doubles(n + 6), sum = 0.0;

    two(n, a, b);
    SHOW(a, n);
    SHOW(b, n);
    repeated(n, 4, a);
    SHOW(a, n);
    guarded(n, a);
    SHOW(a, n);
    names(n, a, b, 0.5, 2.5);
    SHOW(a, n);

#pragma scop
    for (int i = 0; i < n; i++)
        a[i] += b[i];
#pragma endscop

    for (int i = 0; i < n; i++)
        sum += a[i];
    printf("%a\n", sum);
    return 0;
}
