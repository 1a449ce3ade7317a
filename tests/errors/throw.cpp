void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (i == 7)
            throw 1;
        a[i] = 1.0;
    }
#pragma endscop
}
