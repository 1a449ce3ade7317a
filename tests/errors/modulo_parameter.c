void ring(int n, int m, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i % m] += 1.0;
#pragma endscop
}
