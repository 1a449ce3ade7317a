void serve(int n, double *a)
{
#pragma scop
    while (1)
        for (int i = 0; i < n; i++)
            a[i] += 1.0;
#pragma endscop
}
