void measure(int n, double *a)
{
#pragma scop
    typedef double length;
    for (int i = 0; i < n; i++) {
        length l = a[i];
        a[i] = l * 2.54;
    }
#pragma endscop
}
