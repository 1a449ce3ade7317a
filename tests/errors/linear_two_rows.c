void f(int n, int m, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i * n] = 0.0;
        a[i * m] = 1.0;
    }
#pragma endscop
}
