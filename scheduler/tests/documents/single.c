void single(int n, double a[n], double b[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 2.0;
    for (int i = 1; i < n; i++)
        b[i] = b[i - 1] * 3.0;
#pragma endscop
}
