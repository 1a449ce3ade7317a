void drain(int n, int *restrict a, const int *restrict b)
{
    int v;
#pragma scop
    for (int i = 0; i < n; i++)
        if (b[i] > 0 || (v = b[i]) < -1)
            a[i] = 1;
#pragma endscop
}
