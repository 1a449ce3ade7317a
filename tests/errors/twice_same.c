void f(int n, double *a)
{
#pragma scop
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0.0;
#pragma endscop
#pragma endscop
}
