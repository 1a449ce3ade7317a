void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i * i] = 0.0; /* größe */
#pragma endscop
}
