/* Footprints of many shapes, which blocks keep in shared memory: skewed, triangular, strided, diagonal, with halos, in
 * unions, in three dimensions, and such as move a little with each step of a tile loop. */
#include "support.h"

#define SIDE 24
#define TAPS 40

/* The lower triangle of a small matrix, which all threads use. */
static void triangle(int n, const double l[SIDE][SIDE], const double (*restrict x)[SIDE], double (*restrict y)[SIDE])
{
#pragma scop
    for (int b = 0; b < n; b++)
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j <= i; j++)
                y[b][i] += l[i][j] * x[b][j];
#pragma endscop
}

/* A band along the diagonal: in each row other columns. */
static void band(int n, int w, double (*restrict c)[n], const double (*restrict a)[n + w], const double (*restrict b)[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < w; k++)
                c[i][j] += a[i][i + k] * b[k][j];
#pragma endscop
}

/* A parallelogram. */
static void skewed(int n, double (*restrict c)[n], const double (*restrict a)[n], const double (*restrict b)[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i + k][k] * b[k][j];
#pragma endscop
}

/* Every other element. */
static void strided(int n, double (*restrict c)[n], const double (*restrict a)[2 * n], const double (*restrict b)[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][2 * k + 1] * b[2 * k][j];
#pragma endscop
}

/* A diagonal, and the columns of a transposed matrix. */
static void diagonal(int n, float (*restrict c)[n], const float *restrict a, const float (*restrict b)[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i + j] * b[j][k];
#pragma endscop
}

static void halo(int n, double (*restrict b)[n], const double (*restrict a)[n])
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i][j] = a[i][j] + 0.5 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
#pragma endscop
}

/* Two footprints that overlap at a corner. */
static void both(int n, double (*restrict c)[n], const double (*restrict a)[n + 9], const double (*restrict b)[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += (a[i][k] + a[i + 9][k + 9]) * b[k][j];
#pragma endscop
}

static void deep(int n, double (*restrict c)[n], const double (*restrict a)[n][3], const double (*restrict b)[3][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < 3; l++)
                    c[i][j] += a[i + k][k][l] * b[k][l][j];
#pragma endscop
}

/* A filter: what a block needs moves by one tile with each step. */
static void filter(int n, int taps, double *restrict out, const double *restrict in, const double *restrict weight)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < taps; k++)
            out[i] += in[i + k] * weight[k];
#pragma endscop
}

/* The same in two dimensions. */
static void correlate(int n, int m, double (*restrict out)[n], const double (*restrict in)[n + m],
                      const double (*restrict weight)[m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++)
                for (int l = 0; l < m; l++)
                    out[i][j] += in[i + k][j + l] * weight[k][l];
#pragma endscop
}

/* Backwards, so that indices fall while the steps go on. */
static void convolve(int n, int taps, double *restrict out, const double *restrict in, const double *restrict weight)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < taps; k++)
            out[i] += in[i + taps - k] * weight[k];
#pragma endscop
}

/* What a block needs does not depend on the step. */
static void steady(int n, double *restrict out, const double *restrict in, const double (*restrict weight)[n + 5])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int l = 0; l < 5; l++)
                out[i] += in[i + l] * weight[k][l];
#pragma endscop
}

/* Two triangles, and another between them in the device's memory that is moved only if the condition holds. */
static void one_under_a_condition(int n, int m, double *restrict s, double (*restrict a)[n], float (*restrict b)[n],
                                  double (*restrict c)[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            s[i] = s[i] + a[i][j] * b[i][j];
    if (m > 3)
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
                s[i] = s[i] + c[i][j];
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv), w = n / 2 + 3;
    size_t area = (size_t)n * n;
    double *a = doubles(8 * area + 60 * (size_t)n + 400), *b = doubles(8 * area + 60 * (size_t)n + 400);
    double *c = doubles(area), *weight = doubles(area + 8 * (size_t)n + TAPS * TAPS);
    double *x = doubles((size_t)n * SIDE), *y = doubles((size_t)n * SIDE), *l = doubles(SIDE * SIDE);
    float *f = floats(2 * (size_t)n), *g = floats(area), *h = floats(area);

    triangle(n, (const double (*)[SIDE])l, (const double (*)[SIDE])x, (double (*)[SIDE])y);
    SHOW(y, (size_t)n * SIDE);
    band(n, w, (double (*)[n])c, (const double (*)[n + w])a, (const double (*)[n])b);
    SHOW(c, area);
    skewed(n, (double (*)[n])c, (const double (*)[n])a, (const double (*)[n])b);
    SHOW(c, area);
    strided(n, (double (*)[n])c, (const double (*)[2 * n])a, (const double (*)[n])b);
    SHOW(c, area);
    diagonal(n, (float (*)[n])g, f, (const float (*)[n])h);
    SHOW(g, area);
    halo(n, (double (*)[n])c, (const double (*)[n])a);
    SHOW(c, area);
    both(n, (double (*)[n])c, (const double (*)[n + 9])a, (const double (*)[n])b);
    SHOW(c, area);
    deep(n, (double (*)[n])c, (const double (*)[n][3])a, (const double (*)[3][n])b);
    SHOW(c, area);
    filter(n, TAPS, x, a, weight);
    SHOW(x, n);
    convolve(n, TAPS, x, a, weight);
    SHOW(x, n);
    correlate(n, 6, (double (*)[n])c, (const double (*)[n + 6])a, (const double (*)[6])weight);
    SHOW(c, area);
    steady(n, x, a, (const double (*)[n + 5])weight);
    SHOW(x, n);
    for (int m = 2; m < 6; m += 3) {
        one_under_a_condition(n, m, x, (double (*)[n])a, (float (*)[n])h, (double (*)[n])c);
        SHOW(x, n);
    }
    return 0;
}
