int last(int n, const int *a)
{
    int i;
#pragma scop
    int m = 0;
    for (i = 0; i < n; i++)
        m = a[i] > m ? a[i] : m;
#pragma endscop
    return m + i;
}

void gaps(int n, double *a)
{
#pragma scop
    for (int i = 1; i < n; i *= 2)
        a[i] = 0.0;
#pragma endscop
}

void fine(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0.0;
#pragma endscop
}
