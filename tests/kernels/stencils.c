/* Iterations over neighbours, in place and not. */
#include "support.h"

static void two_arrays(int n, int steps, double *restrict a, double *restrict b)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
#pragma endscop
}

static void in_place(int n, int steps, double *a)
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0;
#pragma endscop
}

static void in_place_square(int n, int steps, double a[n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
#pragma endscop
}

static void by_time(int n, int steps, double a[steps + 1][n])
{
#pragma scop
    for (int t = 1; t <= steps; t++)
        for (int i = 2; i < n - 2; i++)
            a[t][i] = a[t - 1][i - 2] - 4.0 * a[t - 1][i - 1] + 6.0 * a[t - 1][i] - 4.0 * a[t - 1][i + 1] + a[t - 1][i + 2];
#pragma endscop
}

static void sweeps(int n, double a[n][n], double b[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++) {
            a[i][j] = a[i][j] - a[i][j - 1] * b[i][j];
            b[i][j] = b[i][j] * 0.5 + b[i][j - 1];
        }
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[i][j] - a[i - 1][j] * b[i][j];
#pragma endscop
}

static void boundary(int n, int steps, double a[n][n], double b[n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            a[i][0] = a[i][1];
            a[i][n - 1] = a[i][n - 2];
        }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = a[i][j - 1] + a[i][j + 1] - a[i - 1][j] - a[i + 1][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] += 0.1 * b[i][j];
    }
#pragma endscop
}

/* Of the slopes all elements are read: the inner ones are computed, unless there are no steps, and the border never is. */
static void slopes(int n, int steps, double (*restrict a)[n], double (*restrict slope)[n], double *restrict sums)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                slope[i][j] = a[i][j + 1] - a[i][j - 1] + a[i + 1][j] - a[i - 1][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] += 0.1 * slope[i][j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sums[i] += slope[i][j];
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv), steps = 5;
    size_t points = (size_t)n * n;
    double *a = doubles(n), *b = doubles(n), *history = doubles((size_t)(steps + 1) * n);
    double *square = doubles(points), *other = doubles(points);

    two_arrays(n, steps, a, b);
    SHOW(a, n);
    SHOW(b, n);
    in_place(n, steps, a);
    SHOW(a, n);
    in_place_square(n, steps, (double (*)[n])square);
    SHOW(square, points);
    by_time(n, steps, (double (*)[n])history);
    SHOW(history, (size_t)(steps + 1) * n);
    sweeps(n, (double (*)[n])square, (double (*)[n])other);
    SHOW(square, points);
    SHOW(other, points);
    if (n > 1)
        boundary(n, steps, (double (*)[n])square, (double (*)[n])other);
    SHOW(square, points);
    SHOW(other, points);
    slopes(n, n > 1 ? n % 3 : -1, (double (*)[n])square, (double (*)[n])other, a);
    SHOW(square, points);
    SHOW(other, points);
    SHOW(a, n);
    return 0;
}
