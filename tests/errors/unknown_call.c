double noise(double x);

void scale(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = noise(a[i]);
#pragma endscop
}
