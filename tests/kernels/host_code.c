/* Code that only the host can run (`long double`) between kernels: what it uses moves, and nothing else. */
#include "support.h"

/* One element of each array in each round. */
static void pivots(int n, double (*restrict a)[n], double *restrict d)
{
#pragma scop
    for (int k = 0; k < n; k++) {
        a[k][k] = (double)((long double)a[k][k] * 1.0000001L);
        d[k] = (double)((long double)a[k][k] / 3);
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] = a[i][j] - a[i][k] * a[k][j] / (1 + a[k][k] * a[k][k]);
        for (int i = k; i < n; i += 2)
            d[i] = d[i] + a[i][k];
    }
#pragma endscop
}

/* Between the elements that the host writes are others, which only kernels write. */
static void every_third(int n, int rounds, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int t = 0; t < rounds; t++) {
        for (int i = 0; i < n; i++)
            a[i] = a[i] * 0.5 + b[i];
        for (int i = t; i < n; i += 3)
            a[i] = (double)((long double)a[i] + 1.0L / 3);
    }
#pragma endscop
}

/* These are written by kernels alone, and what the host writes by the host alone. */
static void even_and_odd(int n, int rounds, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int t = 0; t < rounds; t++) {
        for (int i = 0; i < n; i++)
            a[2 * i + 1] = a[2 * i + 1] * 0.5 + b[i];
        for (int i = 0; i < n; i++)
            a[2 * i] = (double)((long double)a[2 * i] + 1.0L / 3);
    }
#pragma endscop
}

/* A row of a plane, and a part of which the kernels use less than the host. */
static void planes(int n, double a[n][n][n + 1], double *restrict s)
{
#pragma scop
    for (int p = 0; p < n; p++) {
        for (int i = 1; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][p][j] = a[i][p][j] + 0.25 * a[i - 1][p][j];
        for (int i = 0; i < n; i++)
            for (int j = p; j < n + 1; j++)
                a[i][p][j] = (double)((long double)a[i][p][j] * 0.9L);
        for (int i = 0; i < n; i++)
            s[i] = s[i] + a[i][p][0];
    }
#pragma endscop
}

/* The host reads what kernels wrote, and writes what they never see. */
static void reads(int n, double *restrict a, double *restrict seen)
{
#pragma scop
    for (int t = 0; t < n; t++) {
        for (int i = t; i < n; i++)
            a[i] = a[i] * 0.5 + t;
        seen[t] = (double)((long double)a[n - 1] + a[t]);
    }
#pragma endscop
}

/* Each round has a row of its own, of which the host uses one element; most have no value yet. */
static void own_rows(int n, double (*restrict a)[n])
{
#pragma scop
    for (int k = 1; k < n; k++) {
        double row[n];
        for (int j = 0; j < n; j++)
            row[j] = a[k][j] * 0.5;
        row[k] = (double)((long double)row[k] / 3);
        for (int j = k - 1; j < n; j++)
            a[k][j] = a[k - 1][j] + row[j] * row[k];
    }
#pragma endscop
}

/* Each round has a row of its own, of which only the host uses the last element. */
static void own_rows_and_more(int n, double (*restrict a)[n], double *restrict s)
{
#pragma scop
    for (int k = 0; k < n; k++) {
        double row[n + 1];
        for (int j = 0; j < n; j++)
            row[j] = a[k][j] * 0.5;
        row[n] = (double)((long double)row[0] / 3);
        s[k] = (double)((long double)row[n] + 1);
        for (int j = 1; j < n; j++)
            a[k][j] = row[j] + row[j - 1];
    }
#pragma endscop
}

/* A temporary of each iteration that kernels set and the host changes. */
static void own_sums(int n, double *restrict s)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double sum = 1;
        for (int j = 0; j < 3; j++)
            sum = (double)((long double)sum * 2 + i);
        s[i] = sum;
    }
#pragma endscop
}

/* Data say which element the host changes. */
static void somewhere(int n, double a[restrict n], const int at[restrict n])
{
#pragma scop
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < n; i++)
            a[i] = a[i] * 0.5 + 1;
        a[at[t]] = (double)((long double)a[at[t]] / 3);
        for (int i = 0; i < n; i++)
            a[i] = a[i] + 2;
    }
#pragma endscop
}

/* The host reads what was there before, which kernels then replace as a whole. */
static void before_it_is_replaced(int n, int m, double *restrict a, const double *restrict b, double *restrict s)
{
#pragma scop
    for (int t = 0; t < n; t++) {
        s[t] = (double)((long double)a[t * m] / 3);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i * m + j] = b[i * m + j] + t;
    }
#pragma endscop
}

static double a_third(double x)
{
    return (double)((long double)x / 3 + 1e-3L);
}

/* The type that only the host has is in a function. */
static void in_a_function(int n, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 0.5 + b[i];
    for (int i = 0; i < n; i++)
        b[i] = a_third(a[i]);
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv), side = n < 9 ? n : 9;
    double *square = doubles((size_t)n * n), *d = doubles(n), *a = doubles(n), *b = doubles(n);
    double *space = doubles((size_t)side * side * (side + 1)), *s = doubles(side);
    pivots(n, (double (*)[n])square, d);
    SHOW(square, (size_t)n * n);
    SHOW(d, n);
    every_third(n, 5, a, b);
    SHOW(a, n);
    double *pairs = doubles(2 * n);
    even_and_odd(n, 3, pairs, b);
    SHOW(pairs, 2 * n);
    planes(side, (double (*)[side][side + 1])space, s);
    SHOW(space, (size_t)side * side * (side + 1));
    SHOW(s, side);
    reads(n, a, d);
    SHOW(a, n);
    SHOW(d, n);
    own_rows(n, (double (*)[n])square);
    SHOW(square, (size_t)n * n);
    own_rows_and_more(n, (double (*)[n])square, d);
    SHOW(square, (size_t)n * n);
    SHOW(d, n);
    own_sums(n, d);
    SHOW(d, n);
    in_a_function(n, a, b);
    SHOW(a, n);
    SHOW(b, n);
    int *at = allocate(n, sizeof *at);
    for (int i = 0; i < n; i++)
        at[i] = i * 7 % n;
    somewhere(n, a, at);
    SHOW(a, n);
    double *rows = doubles((size_t)n * (n + 1));
    before_it_is_replaced(n, n > 0 ? n : 1, rows, square, d);
    SHOW(d, n);
    SHOW(rows, (size_t)n * n);
    return 0;
}
