void converge(double *a, int n)
{
again:
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] *= 0.5;
#pragma endscop
    if (a[0] > 1)
        goto again;
}
