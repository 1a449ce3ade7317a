void jacobi(int t, int n, double *a, double *b)
{
#pragma scop
    for (int k = 0; k < t; k++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        double *swap = a;
        a = b;
        b = swap;
    }
#pragma endscop
}
