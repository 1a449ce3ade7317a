/* Variables that live inside a region, and functions that it may call. */
#include "support.h"
#include <math.h>

static void registers(int n, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 1; i < n; i++) {
        double left = a[i - 1], here = a[i];
        double mean = 0.5 * (left + here);
        mean *= 1.25;
        b[i] = mean - left;
    }
#pragma endscop
}

static void accumulator(int n, double a[n][n], double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int j = 0; j < n; j++)
            s += a[i][j] * a[j][i];
        b[i] = s;
    }
#pragma endscop
}

static void window(int n, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n - 4; i++) {
        double w[4];
        for (int k = 0; k < 4; k++)
            w[k] = a[i + k] * (k + 1);
        b[i] = w[0] + w[1] * w[2] - w[3];
    }
#pragma endscop
}

/* A local array whose subscript is counted, in loops that do not begin at zero. */
static void median(int n, int from, const double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = from; i < n - 2; i++) {
        double w[5];
        int k = 0;
        for (int d = -2; d <= 2; d++)
            w[k++] = a[i + d];
        for (int p = 0; p < 4; p++)
            for (int q = 0; q < 4 - p; q++)
                if (w[q] > w[q + 1]) {
                    double larger = w[q];
                    w[q] = w[q + 1];
                    w[q + 1] = larger;
                }
        b[i] = w[2];
    }
#pragma endscop
}

/* Its subscripts are data. */
static void buckets(int n, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 2; i < n; i++) {
        double sum[4];
        for (int k = 0; k < 4; k++)
            sum[k] = k;
        for (int j = 0; j < 7; j++)
            sum[(int)(a[i - 1] * 64 + j) & 3] += a[i] * j;
        b[i] = sum[0] + 2 * sum[1] + 3 * sum[2] + 4 * sum[3];
    }
#pragma endscop
}

static void rotate(int n, double *restrict a, double *restrict b, double c, double s)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double x = a[i];
        a[i] = c * x + s * b[i];
        b[i] = c * b[i] - s * x;
    }
#pragma endscop
}

static void swap_ends(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n / 2; i++) {
        double kept = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = kept;
    }
#pragma endscop
}

static void calls(int n, double *restrict a, float *restrict b, const double *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = sqrt(fabs(a[i])) + floor(c[i] * 3.0) - ceil(c[i]);
        b[i] = fminf(b[i], 0.5f) + fmaxf(b[i], (float)c[i]);
        a[i] = fmax(a[i], fmin(c[i], b[i]));
    }
#pragma endscop
}

static double last_value(int n, const double *a)
{
    double last = -1.0;
#pragma scop
    for (int i = 0; i < n; i++)
        last = a[i] * 2.0;
#pragma endscop
    return last;
}

/* Where there is no candidate, the variable for the best has no value, and nobody reads it. */
static void nearest(int n, int m, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double best;
        int at = -1;
        for (int k = 0; k < m; k++) {
            double distance = (a[k] - a[i] - 0.1) * (a[k] - a[i] - 0.1);
            if (at < 0 || distance < best) {
                best = distance;
                at = k;
            }
        }
        b[i] = at < 0 ? -1.0 : best + at;
    }
#pragma endscop
}

/* The same, set in a loop that may have no iteration. */
static void last_of(int n, int m, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double last;
        int found = 0;
        for (int k = 0; k < m; k++) {
            last = a[k] * i;
            found = 1;
        }
        b[i] = found ? last : -1.0;
    }
#pragma endscop
}

/* Names that belong to the generated code once something stands behind them. */
static void names(int n, double *restrict a, double private)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double lower = a[i] * 2.0, shared = private;
        a[i] = lower + shared;
    }
    for (int i = 0; i < n; i++) {
        double lower = a[i] * 3.0, shared = private + 1.0;
        a[i] = lower * shared;
    }
#pragma endscop
}

/* What is written under a condition and read there is the same variable as what was written before: it may run in
   parallel along one loop more than the rest does. */
static void replaced(int n, double *restrict p, double (*restrict c)[n][2], double a[n][n], double b[n][n])
{
    double t;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            t = p[i];
            p[i] = t * 0.5 + 1;
            for (int l = 0; l < 2; l++)
                c[i][k][l] = c[i][k][l] + 1;
            if (a[i][k] > 0.5) {
                t = a[i][k] + 1;
                b[i][k] = t;
            } else {
                b[i][k] = t;
            }
        }
#pragma endscop
}

/* Which element of the local array counts is up to one of two parameters. */
static void phases(int n, double *restrict s, double a[restrict n + 5][n + 5])
{
    for (int p = 0; p < n; p++) {
#pragma scop
        double t[4];
        for (int q = 0; q < 4; q++)
            t[q] = a[p][p + 2] * q;
        s[0] += a[0][p] * t[p % 4];
#pragma endscop
    }
}

/* `t[0]` lives as long as an iteration of the outer loop, `t[1]` as long as one of the inner. */
static void two_lives(int n, const double *restrict x, double a[n][n], double *restrict c)
{
    double t[2];
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (j == 0)
                t[0] = x[i];
            t[1] = t[0] * a[i][j];
            c[j] += t[1];
        }
#pragma endscop
}

/* Arrays that declarations give values: memory of the region, and arrays of code under a condition on data. */
static void first_values(int n, const double x[n], const int kind[n], double y[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        const double w[3] = {0.25, x[i], 0.25};
        double m[2][2] = {{1, 2}, {x[i]}};
        for (int k = 0; k < 2; k++)
            m[k][1] += w[k + 1] * m[k][0];
        y[i] = m[0][1] + m[1][1] * w[0];
        if (kind[i] == 1) {
            double t[2] = {1.0};
            for (int k = 0; k < kind[i] + 3; k++)
                t[k % 2] += x[i] * k;
            y[i] += t[0] - t[1];
        }
    }
#pragma endscop
}

/* No loop is parallel before it is skewed, and each step has a `sum` of its own. */
static void relaxed(int n, double *a)
{
    double sum;
#pragma scop
    for (int k = 0; k < 7; k++)
        for (int i = 1; i < n; i++) {
            sum = a[i - 1] + a[i];
            a[i] = sum * 0.5;
        }
#pragma endscop
}

/* Each iteration along k has a temporary of its own. */
static void damped(int n, const double *restrict a, double b[restrict n][n], double c[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                double t = a[k] * b[i][j];
                if (i + j > k)
                    c[i][j] += t;
                b[i][j] = b[i][j] * 0.5 + t;
            }
#pragma endscop
}

/* The same, with iterations left out, and with iterations that have no statement in common. */
static void damped_in_parts(int n, int m, const double *restrict a, double b[restrict n][n], double c[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                if (k != m) {
                    double t = a[k] * b[i][j];
                    if (i + j > k)
                        c[i][j] += t;
                    b[i][j] = b[i][j] * 0.5 + t;
                }
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 2 * n; k++) {
                double t;
                if (k < n)
                    t = a[k] * b[i][j];
                if (k >= n)
                    t = a[k - n] - b[i][j];
                if (k < n)
                    c[i][j] += t;
                if (k < n)
                    b[i][j] = b[i][j] * 0.5 + t;
                if (k >= n)
                    b[i][j] = b[i][j] * 0.25 - t;
            }
#pragma endscop
}

/* What is written in the last iteration only, at its last point, in each round. */
static double at_the_last_point(int n, double a[n][n])
{
    double last = 0.0, twice = 0.0;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < n; j++) {
                twice = 2.0 * a[i][j];
                a[i][j] = twice + 1.0;
                if (i == n - 1)
                    if (j == n - 1)
                        last = twice;
            }
#pragma endscop
    return last + twice;
}

/* What is written at the first point, before the loop that goes on. */
static double at_the_first_point(int n, int m, double x[n], double seen[1])
{
    double first = 0.0, next = 0.0;
#pragma scop
    for (int i = 0; i < n; i++) {
        next = x[i];
        for (int j = 0; j < m; j++) {
            if (i == 0 && j == 0)
                first = next;
            next = x[j];
            seen[0] = next;
        }
    }
#pragma endscop
    return first + 3.0 * next;
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *a = doubles(n), *b = doubles(n), *square = doubles((size_t)n * n);
    float *f = floats(n);

    registers(n, a, b);
    SHOW(b, n);
    accumulator(n, (double (*)[n])square, b);
    SHOW(b, n);
    window(n, a, b);
    SHOW(b, n);
    median(n, 2, a, b);
    median(n, 3, b, a);
    SHOW(a, n);
    SHOW(b, n);
    buckets(n, a, b);
    SHOW(b, n);
    rotate(n, a, b, 0.8, 0.6);
    SHOW(a, n);
    SHOW(b, n);
    swap_ends(n, a);
    SHOW(a, n);
    calls(n, a, f, b);
    SHOW(a, n);
    SHOW(f, n);
    printf("%a\n", last_value(n, a));
    for (int m = 0; m <= n; m += n > 0 ? n : 1) {
        nearest(n, m, a, b);
        SHOW(b, n);
        last_of(n, m, a, b);
        SHOW(b, n);
    }
    names(n, a, 0.5);
    SHOW(a, n);
    double *pairs = doubles((size_t)2 * n * n), *results = doubles((size_t)n * n);
    replaced(n, a, (double (*)[n][2])pairs, (double (*)[n])square, (double (*)[n])results);
    SHOW(a, n);
    SHOW(pairs, (size_t)2 * n * n);
    SHOW(results, (size_t)n * n);
    double *wide = doubles((size_t)(n + 5) * (n + 5)), total = 1;
    phases(n, &total, (void *)wide);
    SHOW(&total, 1);
    two_lives(n, a, (double (*)[n])square, b);
    SHOW(b, n);
    int *kind = bytes(n, sizeof *kind);
    for (int i = 0; i < n; i++)
        kind[i] = (i + 2) % 3;
    first_values(n, a, kind, b);
    SHOW(b, n);
    relaxed(n, a);
    SHOW(a, n);
    damped(n, a, (double (*)[n])square, (double (*)[n])results);
    SHOW(square, (size_t)n * n);
    SHOW(results, (size_t)n * n);
    damped_in_parts(n, 2, a, (double (*)[n])square, (double (*)[n])results);
    SHOW(square, (size_t)n * n);
    SHOW(results, (size_t)n * n);
    double *points = doubles((size_t)n * n), seen[1] = {0.0};
    double at_points[3] = {at_the_last_point(n, (void *)points), at_the_first_point(n, n, points, seen),
                           at_the_first_point(n, 0, points, seen)};
    SHOW(points, (size_t)n * n);
    SHOW(at_points, 3);
    SHOW(seen, 1);
    return 0;
}
