void add(int rows, int columns, double **sum, double **a)
{
#pragma scop
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            sum[i][j] += a[i][j];
#pragma endscop
}
