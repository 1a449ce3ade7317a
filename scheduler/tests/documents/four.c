/* Four parallel loops, of which only the last reads and writes elements that are next to each other. */
void four(int n, double A[n][n][n][n], double B[n][n][n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    A[i][j][k][l] = 2 * B[i][j][k][l];
#pragma endscop
}
