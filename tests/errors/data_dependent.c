void clip(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] < 0.0)
            a[i] = 0.0;
#pragma endscop
}
