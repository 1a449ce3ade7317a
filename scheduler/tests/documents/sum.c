/* One sum for each row. */
void sum(int n, int m, double A[n][m], double x[n])
{
    double s;
#pragma scop
    for (int i = 0; i < n; i++) {
        s = 0;
        for (int j = 0; j < m; j++)
            s += A[i][j];
        x[i] = s;
    }
#pragma endscop
}
