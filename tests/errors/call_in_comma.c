int next(void);

void fill(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = (next(), 1.0);
#pragma endscop
}
