void table(int n, int *t)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            t[i * j] = i * j;
#pragma endscop
}
