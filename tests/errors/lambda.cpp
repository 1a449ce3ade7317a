void apply(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = [](double x) { return x * x; }(a[i]);
#pragma endscop
}
