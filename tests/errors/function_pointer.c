void map(int n, double *a, double (*f)(double))
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);
#pragma endscop
}
