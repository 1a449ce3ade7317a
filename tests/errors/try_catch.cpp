void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        try {
            a[i] = 1.0;
        } catch (...) {
            a[i] = 2.0;
        }
    }
#pragma endscop
}
