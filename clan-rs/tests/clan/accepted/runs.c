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

/* What does nothing is left out, and a constant may be a name. */
void nothing(int n, double *restrict a, double (*restrict b)[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int two = 2, next = i + 1, after = next + 1;
        (void)0;
        (void)n;
        (void)n, a[two * i] = a[i * two + 1];
        *(after + a) = i;
        register double sum = 0;
        for (int j = 0; j < n; j++)
            sum += b[i][j];
        a[i] = sum;
    }
#pragma endscop
}
