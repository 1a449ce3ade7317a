/* Variables that a region uses over and over for values that do not outlive an iteration. */
#include "support.h"

static void row_sums(int n, double a[n][n], double *restrict b)
{
    double s;
#pragma scop
    for (int i = 0; i < n; i++) {
        s = 0.0;
        for (int j = 0; j < n; j++)
            s += a[i][j] * a[j][i];
        b[i] = s;
    }
#pragma endscop
}

/* The second nest uses the variable in another way, and the third leaves a value in it. */
static double one_for_all(int n, double a[n][n], double *restrict b)
{
    double t = 0.0;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            t = a[i][j];
            for (int k = 0; k < 3; k++)
                t = t * 0.5 + b[j];
            a[i][j] = t;
        }
    for (int i = 0; i < n; i++) {
        t = b[i];
        for (int k = 0; k < i; k++)
            t += a[i][k];
        b[i] = t;
    }
    for (int i = 0; i < n; i++)
        t = b[i] * 2.0;
#pragma endscop
    return t;
}

/* A row in between, in a loop over time. */
static void smooth_rows(int n, int steps, double a[n][n])
{
    double row[n];
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++) {
            for (int j = 1; j < n - 1; j++)
                row[j] = (a[i][j - 1] + a[i][j] + a[i][j + 1]) / 3;
            for (int j = 1; j < n - 1; j++)
                a[i][j] = row[j];
        }
#pragma endscop
}

/* Every element needs one of its own although no loop is parallel. */
static void relax(int n, double a[n][n])
{
    double s;
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            s = 0.0;
            for (int k = 0; k < 2; k++)
                s += a[i - 1 + k][j - 1 + k] * 0.25 + a[i + k][j] * 0.125;
            a[i][j] = s;
        }
#pragma endscop
}

/* Four of a kind, reused, and statements that do nothing for the result. */
static void window(int n, const double *restrict a, double *restrict b)
{
    double w[4], unused[n], last;
#pragma scop
    for (int i = 0; i < n - 4; i++) {
        for (int k = 0; k < 4; k++)
            w[k] = a[i + k] * (k + 1);
        for (int k = 0; k < 2; k++)
            unused[i + k] = w[k] * w[k + 1];
        b[i] = w[0] + w[1] * w[2] - w[3];
        last = b[i];
    }
#pragma endscop
}

/* Passed on from iteration to iteration: there is but one. */
static void scan(int n, double *restrict b, const double *restrict a)
{
    double s = 1.0;
#pragma scop
    for (int i = 0; i < n; i++) {
        s = 0.5 * s + a[i];
        for (int k = 0; k < 2; k++)
            b[i] += s * k;
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *a = doubles((size_t)n * n), *b = doubles(n), *c = doubles(n);

    row_sums(n, (double (*)[n])a, b);
    SHOW(b, n);
    printf("%a\n", one_for_all(n, (double (*)[n])a, b));
    SHOW(a, n * n);
    SHOW(b, n);
    smooth_rows(n, 3, (double (*)[n])a);
    SHOW(a, n * n);
    relax(n, (double (*)[n])a);
    SHOW(a, n * n);
    window(n, b, c);
    SHOW(c, n);
    scan(n, c, b);
    SHOW(c, n);
    free(a);
    free(b);
    free(c);
    return 0;
}
