void twice(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
#pragma scop
        a[i] = 0.0;
#pragma endscop
    }
#pragma endscop
}
