static void swap(double *x, double *y)
{
    double t = *x;
    *x = *y;
    *y = t;
}

void reverse(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n / 2; i++)
        swap(&a[i], &a[n - 1 - i]);
#pragma endscop
}
