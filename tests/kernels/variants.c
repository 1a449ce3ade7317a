/* Values that are overwritten while they are needed, and arrays of which one is copied to the other. */
#include "support.h"

/* A product in place: row k of b is needed until row k itself is computed. */
static void triangle(int n, double alpha, double a[n][n], double b[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            for (int k = i + 1; k < n; k++)
                b[i][j] += a[k][i] * b[k][j];
            b[i][j] = alpha * b[i][j];
        }
#pragma endscop
}

/* Each element moves up; the copy is filled again in each step. */
static void upwind(int n, int steps, double u[n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < n - 1; j++)
                u[i][j] -= 0.125 * (u[i + 1][j] - u[i][j]) + 0.25 * (u[i][j + 1] - u[i][j]);
#pragma endscop
}

/* The old values come from a nest before, and those of another array from before the region. */
static void solve(int n, double a[n][n], double *restrict x, double *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = 0.5 * y[i];
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            x[i] += a[i][j] * x[j];
    for (int i = 0; i < n - 2; i++)
        y[i] = y[i] * y[i + 2] + x[i];
#pragma endscop
}

/* The border keeps its values; both arrays are seen afterwards. */
static void jacobi(int n, int steps, double a[n][n], double b[n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }
#pragma endscop
}

/* Two fields, a sum into the new one, and a reader of both the old and the new values. */
static void fields(int n, int steps, float *restrict e, float *restrict h, float *restrict e2, float *restrict h2,
                   float *restrict both)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n - 1; i++) {
            e2[i] = 0.5f * e[i];
            e2[i] += h[i + 1] - h[i];
            h2[i] = h[i] + 0.25f * e[i + 1];
        }
        for (int i = 0; i < n - 1; i++)
            both[i] = e[i] + e2[i];
        for (int i = 0; i < n - 1; i++)
            e[i] = e2[i];
        for (int i = 0; i < n - 1; i++)
            h[i] = h2[i];
    }
#pragma endscop
}

/* What is copied is not all that is computed, so the arrays keep their places. */
static void partly(int n, int steps, double *restrict a, double *restrict b)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < n - 2; i++)
            a[i] = b[i];
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *a = doubles((size_t)n * n), *b = doubles((size_t)n * n), *x = doubles(n), *y = doubles(n);
    float *f[5];

    triangle(n, 1.5, (double (*)[n])a, (double (*)[n])b);
    SHOW(b, n * n);
    for (int i = 0; i < n * n; i++)
        b[i] = a[i] * 0.5;
    upwind(n, 4, (double (*)[n])b);
    SHOW(b, n * n);
    solve(n, (double (*)[n])a, x, y);
    SHOW(x, n);
    SHOW(y, n);
    for (int steps = 0; steps < 4; steps++) {
        jacobi(n, steps, (double (*)[n])a, (double (*)[n])b);
        SHOW(a, n * n);
        SHOW(b, n * n);
    }
    for (int k = 0; k < 5; k++) {
        f[k] = malloc((n + 1) * sizeof(float));
        for (int i = 0; i <= n; i++)
            f[k][i] = (float)((i + 3 * k) % 7);
    }
    fields(n, 3, f[0], f[1], f[2], f[3], f[4]);
    for (int k = 0; k < 5; k++) {
        SHOW(f[k], n);
        free(f[k]);
    }
    partly(n, 3, x, y);
    SHOW(x, n);
    SHOW(y, n);
    free(a);
    free(b);
    free(x);
    free(y);
    return 0;
}
