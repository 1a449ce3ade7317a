void skewed(int n, double a[n])
{
    double sum;
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 1; i < n; i++) {
            sum = a[i - 1] + a[i];
            a[i] = sum * 0.5;
        }
#pragma endscop
}
