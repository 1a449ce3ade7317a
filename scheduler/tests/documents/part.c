/* Only some rows of `A` are used. */
void part(int first, int end, int n, double A[n][n])
{
#pragma scop
    for (int i = first; i < end; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = 2 * A[i][j];
#pragma endscop
}
