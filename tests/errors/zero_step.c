void stuck(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i += 0)
        a[i] = 0.0;
#pragma endscop
}
