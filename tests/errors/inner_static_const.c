void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        static const double w[2] = {1, 2};
        a[i] = w[i & 1];
    }
#pragma endscop
}
