template <typename T> void zero(int n, T *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}

template void zero<double>(int, double *);
