void identity(int n, double *packed)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            packed[i * (i + 1) / 2 + j] = i == j;
#pragma endscop
}
