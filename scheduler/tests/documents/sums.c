void sums(int n, int m, double a[n][m], double b[n][m], double x[m], double y[n], double z[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = 0;
        double t = 0;
        for (int j = 0; j < m; j++) {
            s += a[i][j] * x[j];
            t += b[i][j] * x[j];
        }
        y[i] = s;
        z[i] = t;
    }
#pragma endscop
}
