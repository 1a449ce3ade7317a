void f(int n, double *a)
{
    volatile int stop = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (!stop)
            a[i] = 1.0;
#pragma endscop
}
