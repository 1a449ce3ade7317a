void reduction(int n, double A[n][n], double x[n], double y[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += A[j][i] * x[j];
        y[i] = sum;
    }
#pragma endscop
}
