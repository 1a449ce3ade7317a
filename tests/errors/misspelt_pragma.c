void zero(int n, double *a)
{
#pragma scope
    for (int i = 0; i < n; i++)
        a[i] = 0.0;
#pragma endscope
}
