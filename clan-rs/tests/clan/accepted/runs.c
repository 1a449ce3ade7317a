/* Straight-line code: registers, private arrays, aliases. */
#include <math.h>

void runs(int n, double a[n][n], double *restrict x, double *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double t = x[i];
        x[i] = y[i];
        y[i] = t;
        double sum = 0.0;
        int next = i + 1;
        for (int j = 0; j < n; j++) {
            double p = a[i][j], q;
            q = p * p;
            p += q;
            sum += sqrt(p);
            x[next] = next * 0.5;
        }
        y[i] = sum;
        double row[4], unused;
        row[i % 4] = sum;
        {
            float inner;
            inner = sum;
            y[i] -= inner * row[0];
        }
        x[i]++;
    }
#pragma endscop
}
