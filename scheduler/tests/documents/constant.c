/* One kernel reads the same element of `w` in all threads at a time, the other a different one in each. */
void constant(int n, float a[restrict n], float b[restrict 64], float w[restrict 64], float v[restrict 64])
{
#pragma scop
    for (int j = 0; j < 64; j++)
        b[j] = w[j] * b[j];
    for (int i = 0; i < n; i++)
        a[i] = w[3] * a[i] + v[5];
#pragma endscop
}
