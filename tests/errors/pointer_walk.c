void clear(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        *a++ = 0.0;
#pragma endscop
}
