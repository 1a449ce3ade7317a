int fill(int n, double *a)
{
    int i;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = 0.0;
#pragma endscop
    return i;
}
