/* Linear algebra. */
#include "support.h"
#include <math.h>

static void solve(int n, double l[n][n], double *restrict x, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] -= l[i][j] * x[j];
        x[i] = x[i] / l[i][i];
    }
#pragma endscop
}

static void cholesky(int n, double a[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
        for (int k = 0; k < i; k++)
            a[i][i] -= a[i][k] * a[i][k];
        a[i][i] = sqrt(a[i][i]);
    }
#pragma endscop
}

static void rank_updates(int n, double alpha, double beta, double a[n][n], double *restrict x, double *restrict y,
                         const double *restrict u, const double *restrict v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[i][j] + u[i] * v[j] + v[i] * u[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i] = x[i] + beta * a[j][i] * y[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i] = y[i] + alpha * a[i][j] * x[j];
#pragma endscop
}

static void symmetric_product(int n, int m, double alpha, double c[n][n], double a[n][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            c[i][j] *= 0.5;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                c[i][j] += alpha * a[i][k] * a[j][k];
    }
#pragma endscop
}

static void two_products(int n, double d[n][n], double a[n][n], double b[n][n], double tmp[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            tmp[i][j] = 0.0;
            for (int k = 0; k < n; k++)
                tmp[i][j] += a[i][k] * b[k][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            d[i][j] *= 0.25;
            for (int k = 0; k < n; k++)
                d[i][j] += tmp[i][k] * a[k][j];
        }
#pragma endscop
}

static void tensor(int n, int m, double a[n][n][m], double c[m][m], double *restrict sum)
{
#pragma scop
    for (int r = 0; r < n; r++)
        for (int q = 0; q < n; q++) {
            for (int p = 0; p < m; p++) {
                sum[p] = 0.0;
                for (int s = 0; s < m; s++)
                    sum[p] += a[r][q][s] * c[s][p];
            }
            for (int p = 0; p < m; p++)
                a[r][q][p] = sum[p];
        }
#pragma endscop
}

static void shortest(int n, int a[n][n])
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][j] = a[i][j] < a[i][k] + a[k][j] ? a[i][j] : a[i][k] + a[k][j];
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv), m = 11;
    size_t points = (size_t)n * n;
    double *a = doubles(points), *b = doubles(points), *c = doubles(points), *d = doubles(points);
    double *x = doubles(n + 1), *y = doubles(n + 2), *u = doubles(n + 3), *v = doubles(n + 4);
    double *thin = doubles((size_t)n * m), *cube = doubles(points * m), *small = doubles((size_t)m * m), *sum = doubles(m);
    int *lengths = allocate(points, sizeof *lengths);

    for (int i = 0; i < n; i++)
        a[(size_t)i * n + i] += 2.0 * n;
    solve(n, (double (*)[n])a, x, y);
    SHOW(x, n);
    cholesky(n, (double (*)[n])a);
    SHOW(a, points);
    rank_updates(n, 1.5, 1.25, (double (*)[n])b, x, y, u, v);
    SHOW(b, points);
    SHOW(x, n);
    SHOW(y, n);
    symmetric_product(n, m, 1.5, (double (*)[n])c, (double (*)[m])thin);
    SHOW(c, points);
    two_products(n, (double (*)[n])d, (double (*)[n])a, (double (*)[n])b, (double (*)[n])c);
    SHOW(d, points);
    tensor(n, m, (double (*)[n][m])cube, (double (*)[m])small, sum);
    SHOW(cube, points * m);
    for (size_t i = 0; i < points; i++)
        lengths[i] = (int)(1000 * (b[i] < 0 ? -b[i] : b[i])) % 1000;
    shortest(n, (int (*)[n])lengths);
    SHOW(lengths, points);
    return 0;
}
