void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = k * a[i] + k;
#pragma endscop
}
