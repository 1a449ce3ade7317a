void zero(int n, double *a)
{
#pragma scop
    for (int i = 0; i < N; i++)
        a[i] = zero_value;
#pragma endscop
}
