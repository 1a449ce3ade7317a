void index(int n, double **table, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        table[i] = &a[i];
#pragma endscop
}
