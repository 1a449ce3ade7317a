// A block's tiles of a sum with partial sums: some side by side, and others far behind them.
int far_parts(int m, const int *values)
{
    int sum = 0;
#pragma scop
    for (int j = 0; j < m; j++)
        sum += values[j] % 7;
#pragma endscop
    return sum;
}
