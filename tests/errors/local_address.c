void set(int *);
void f(double *a)
{
    int n;
    int *p = &n;
    set(p);
#pragma scop
    for (int i = 0; i < n; i++) {
        p[i] = 5;
        a[i] = 1.0;
    }
#pragma endscop
}
