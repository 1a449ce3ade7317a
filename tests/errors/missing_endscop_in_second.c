void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0.0;
#pragma endscop
}

void g(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 1.0;
}
