void fill(int n, double a[n])
{
#pragma scop
#pragma c2cuda parallel
    for (int i = 0; i < n; i++)
        a[i] = 1;
#pragma endscop
}
