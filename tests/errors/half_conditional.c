void fill(int n, double *a)
{
#ifndef SKIP
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0.0;
#endif
#pragma endscop
}
