#pragma scop
void zero(int n, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = 0.0;
}
#pragma endscop
