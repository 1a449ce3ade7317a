void wait_then_clear(int n, volatile int *ready, double *restrict a)
{
#pragma scop
    while (!ready[0])
        ;
    for (int i = 0; i < n; i++)
        a[i] = 0.0;
#pragma endscop
}
