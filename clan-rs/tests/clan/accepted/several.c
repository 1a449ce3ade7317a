/* Several regions, macros, blocks, and names that are taken. */
#define FOR(i, n) for (int i = 0; i < (n); i++)
#define AT(a, i, j) a[(i) * 16 + (j)]
#define CLEAR(x) x = 0
#define N 16

void first(double grid[], double *restrict c0)
{
    int i;
#pragma scop
    FOR(i, N) {
        FOR(j, N - 1)
            AT(grid, i, j) = AT(grid, i, j + 1);
        CLEAR(c0[i]);
    }
#pragma endscop
    for (i = 0; i < 3; i++)
        c0[i] = 1;
#if 0
#pragma scop
#endif
    {
#pragma scop
        for (i = 0; i < N; i++) {
#ifdef N
            c0[i] = N;
#else
            c0[i] = 1;
#endif
        }
#pragma endscop
    }
    for (i = 0; i < 3; i++)
        c0[i] = 1;
}

void second(double *restrict c0)
{
#pragma scop
    double sum = 0;
    for (int i = 0; i < N; i++)
#pragma omp simd
        sum += c0[i];
#pragma unroll 4
    for (int i = 0; i < N; i++)
        if (i < N)
            c0[i] = 0;
        else
            c0[i] = 1;
    c0[0] = sum;
    ;
#pragma endscop
}
