void bytes(int n, const float *restrict a, unsigned *restrict bits)
{
#pragma scop
    for (int i = 0; i < n; i++)
        bits[i] = ((const unsigned *)a)[i];
#pragma endscop
}
