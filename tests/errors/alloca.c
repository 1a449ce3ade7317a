void *alloca(unsigned long);
void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double *t = alloca(8);
        *t = a[i];
        a[i] = 2 * *t;
    }
#pragma endscop
}
