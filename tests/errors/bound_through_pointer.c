void reset(int *n, int *p)
{
#pragma scop
    for (int i = 0; i < *n; i++)
        p[i] = 0;
#pragma endscop
}
