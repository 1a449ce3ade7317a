void
scale(n, a)
    int n;
    double *a;
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 1.0)
            goto next;
        a[i] *= 2.0;
    next:;
    }
#pragma endscop
}
