void half(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i / 0] = 1.0;
#pragma endscop
}
