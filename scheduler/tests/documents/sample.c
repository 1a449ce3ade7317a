/* The host changes a few elements between two kernels, with a type that GPUs lack. */
void sample(int n, double a[restrict n], double b[restrict n], double w[restrict n])
{
    long double s;
#pragma scop
    for (int t = 0; t < 10; t++) {
        for (int i = 0; i < n; i++)
            a[i] = b[i] + w[i];
        s = (long double)a[t] * w[t];
        b[t] = s;
    }
#pragma endscop
}
