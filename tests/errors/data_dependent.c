int clip(int n, double *a)
{
    int count = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] < 0.0 && count++ < 8)
            a[i] = 0.0;
#pragma endscop
    return count;
}
