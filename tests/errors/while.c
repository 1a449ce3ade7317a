void scale(int n, double *a)
{
    int i = 0;
#pragma scop
    while (i < n) {
        a[i] *= 2.0;
        i++;
    }
#pragma endscop
}
