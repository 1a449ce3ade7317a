void f(int n, double *a)
{
    void *next = &&out;
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = 0.0;
        goto *next;
    }
#pragma endscop
out:;
}
