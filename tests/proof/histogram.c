/* Blocks have sums of their own for more elements than they have threads. */
void histogram(int n, const int *restrict bin, const int *restrict weight, int sum[20][5])
{
#pragma scop
    for (int i = 0; i < n; i++)
        sum[bin[i] / 5][bin[i] % 5] += weight[i];
#pragma endscop
}
