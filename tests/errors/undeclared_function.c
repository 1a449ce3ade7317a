double gauss(double x);

void bell(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = gauss(a[i]);
#pragma endscop
}
