void invert(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] == 0.0)
            throw i;
        a[i] = 1.0 / a[i];
    }
#pragma endscop
}
