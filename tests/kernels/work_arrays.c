/* Arrays that every iteration fills and then reads, and what code after the region finds in them. */
#include "support.h"

static double level, kept[70];

/* The rows of a matrix, one after the other, in one row of memory. */
static void smoothed(int n, double a[n][n], double b[n][n], double *restrict row)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            row[j] = a[i][j] * 0.5;
        for (int j = 1; j < n - 1; j++)
            b[i][j] = row[j - 1] + row[j] + row[j + 1];
    }
#pragma endscop
}

/* As doitgen: sums of a loop are kept until the row that they are made of is no longer needed. */
static void in_place(int n, double a[n][n][n], double c[n][n], double sum[n])
{
#pragma scop
    for (int r = 0; r < n; r++)
        for (int q = 0; q < n; q++) {
            for (int p = 0; p < n; p++) {
                sum[p] = 0;
                for (int s = 0; s < n; s++)
                    sum[p] += a[r][q][s] * c[s][p];
            }
            for (int p = 0; p < n; p++)
                a[r][q][p] = sum[p];
        }
#pragma endscop
}

/* A parameter and a variable of the file keep the values of the last row. */
static void row_sums(int n, double a[n][n], double *restrict b, double *restrict last)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        *last = 0;
        for (int j = 0; j < n; j++)
            *last += a[i][j];
        level = *last * 0.25;
        b[i] = level + 1;
    }
#pragma endscop
}

/* Row i has i + 1 elements, or n - i: elements have their last values from the last row, or from a row of their own. */
static void triangles(int n, double a[n][n], double *restrict lower, double *restrict upper)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            lower[j] = a[i][j] + j;
        for (int j = 0; j <= i; j++)
            a[i][j] = lower[j] * lower[i - j];
    }
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++)
            upper[j] = a[i][j] - j;
        for (int j = i; j < n; j++)
            a[i][j] = upper[j] * upper[n - 1 + i - j];
    }
#pragma endscop
}

/* The first loop may be empty: the last value is then the one from before it. */
static void perhaps_empty(int n, int m, double a[n][n], double *restrict b, double *restrict sum)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        *sum = 1;
        for (int j = 0; j < m; j++)
            *sum += a[i][j];
        b[i] = *sum;
    }
#pragma endscop
}

/* Two uses one after the other: the second leaves a part of what the first wrote last. */
static void two_uses(int n, double a[n][n], double b[n][n], double *restrict w)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            w[j] = a[i][j];
        for (int j = 0; j < n; j++)
            b[i][j] = w[n - 1 - j];
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n / 2; j++)
            w[j] = b[i][j] * 2;
        for (int j = 0; j < n / 2; j++)
            a[i][j] = w[j];
    }
#pragma endscop
}

/* Each iteration leaves some elements of the one before it, and reads them: no copies. */
static void leftovers(int n, double a[n][n], double b[n][n], double *restrict w)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n - i; j++)
            w[j] = a[i][j];
        for (int j = 0; j < n; j++)
            b[i][j] = w[j];
    }
#pragma endscop
}

/* What an iteration writes depends on data, and so does the iteration that writes an element last: no copies. */
static void if_positive(int n, double a[n][n], double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            if (a[i][j] > 0.3)
                kept[j] = a[i][j];
        b[i] = a[i][0];
    }
#pragma endscop
}

/* The same after a complete filling, in the same iteration. */
static void corrected(int n, double a[n][n], double b[n][n], double *restrict w)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            w[j] = a[i][j];
            if (a[i][j] > 0.3)
                w[j] = 0.3;
        }
        for (int j = 0; j < n; j++)
            b[i][j] = w[j] + w[n - 1 - j];
    }
#pragma endscop
}

/* Values from before the region are read: no copies. */
static void bordered(int n, double a[n][n], double b[n][n], double *restrict w)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 1; j < n - 1; j++)
            w[j] = a[i][j];
        for (int j = 1; j < n - 1; j++)
            b[i][j] = w[j - 1] - w[j + 1];
    }
#pragma endscop
}

/* The outer loop has to run in order anyway. */
static void in_steps(int n, double a[n][n], double *restrict w)
{
#pragma scop
    for (int i = 1; i < n; i++) {
        for (int j = 0; j < n; j++)
            w[j] = a[i - 1][j] * 0.5;
        for (int j = 0; j < n; j++)
            a[i][j] += w[n - 1 - j];
    }
#pragma endscop
}

/* Copies would be as large as a matrix, which the region has not. */
static void too_large(int n, const double *restrict a, double *restrict b, double *restrict w)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            w[j] = a[j] * a[i];
        b[i] = w[0] + w[n - 1];
    }
#pragma endscop
}

/* Steps, from the back, and sums of integers. */
static void counted(int n, int a[n][n], int *restrict b, int *restrict count, int *restrict w)
{
#pragma scop
    for (int i = n - 1; i >= 0; i -= 3) {
        *count = 0;
        for (int j = 0; j < n; j++) {
            w[j] = a[i][j] & 7;
            *count += w[j];
        }
        for (int j = 0; j < n; j++)
            a[i][j] = w[n - 1 - j];
        b[i] = *count;
    }
#pragma endscop
}

/* If the outer loop runs in order, on the host, its last iteration alone leaves a value. */
static void after_steps(int n, double a[n][n], double *restrict last)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                a[j][k] = k + 0.5;
        for (int j = 0; j < n; j++)
            last[0] = j - i;
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *a = doubles((size_t)n * n), *b = doubles((size_t)n * n), *w = doubles(n), *v = doubles(n);
    int k = n < 12 ? n : 12;
    double *cube = doubles((size_t)k * k * k), last = 3;
    smoothed(n, (void *)a, (void *)b, w);
    SHOW(b, (size_t)n * n);
    SHOW(w, n);
    in_place(k, (void *)cube, (void *)a, w);
    SHOW(cube, (size_t)k * k * k);
    SHOW(w, n);
    level = 5;
    row_sums(n, (void *)a, v, &last);
    SHOW(v, n);
    SHOW(&last, 1);
    SHOW(&level, 1);
    triangles(n, (void *)a, w, v);
    SHOW(a, (size_t)n * n);
    SHOW(w, n);
    SHOW(v, n);
    for (int m = 0; m <= n; m += n > 0 ? n : 1) {
        perhaps_empty(n, m, (void *)a, v, &last);
        SHOW(v, n);
        SHOW(&last, 1);
    }
    two_uses(n, (void *)a, (void *)b, w);
    SHOW(a, (size_t)n * n);
    SHOW(w, n);
    leftovers(n, (void *)a, (void *)b, w);
    SHOW(b, (size_t)n * n);
    SHOW(w, n);
    if_positive(n, (void *)a, v);
    SHOW(v, n);
    SHOW(kept, 70);
    corrected(n, (void *)a, (void *)b, w);
    SHOW(b, (size_t)n * n);
    SHOW(w, n);
    bordered(n, (void *)a, (void *)b, w);
    SHOW(b, (size_t)n * n);
    SHOW(w, n);
    in_steps(n, (void *)a, w);
    SHOW(a, (size_t)n * n);
    SHOW(w, n);
    too_large(n, v, b, w);
    SHOW(b, n);
    SHOW(w, n);
    int *numbers = bytes((size_t)n * n, sizeof *numbers), *sums = bytes(n, sizeof *sums), *u = bytes(n, sizeof *u);
    int count = 9;
    counted(n, (void *)numbers, sums, &count, u);
    SHOW(numbers, (size_t)n * n);
    SHOW(sums, n);
    SHOW(u, n);
    SHOW(&count, 1);
    after_steps(n, (void *)b, &last);
    SHOW(b, (size_t)n * n);
    SHOW(&last, 1);
    return 0;
}
