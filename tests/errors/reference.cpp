void zero(int &n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = n;
#pragma endscop
}
