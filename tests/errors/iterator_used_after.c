int fill(int n, double *a)
{
    int i = 0;
#pragma scop
    if (a[0] > 1.0)
        for (i = 0; i < n; i++)
            a[i] = 0.0;
#pragma endscop
    return i;
}
