/* Arrays of several dimensions in one: subscripts like `i * n + j`. */
#include "support.h"

static void multiply(int n, int m, int k, double *restrict c, const double *restrict a, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * m + j];
            c[i * m + j] = sum;
        }
#pragma endscop
}

static void diffuse(int nx, int ny, int nz, int steps, double *restrict p, double *restrict q)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int k = 1; k < nz - 1; k++)
            for (int j = 1; j < ny - 1; j++)
                for (int i = 1; i < nx - 1; i++) {
                    int c = (k * ny + j) * nx + i;
                    q[c] = 0.25 * p[c] + 0.125 * (p[c - 1] + p[c + 1] + p[c - nx] + p[c + nx] + p[c - nx * ny] + p[c + nx * ny]);
                }
        for (int k = 1; k < nz - 1; k++)
            for (int j = 1; j < ny - 1; j++)
                for (int i = 1; i < nx - 1; i++)
                    p[(k * ny + j) * nx + i] = q[(k * ny + j) * nx + i];
    }
#pragma endscop
}

/* Rows that are longer than what is used of them. */
static void strided(int n, long stride, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        long row = i * stride;
        for (int j = 0; j < n; j++)
            *(a + row + j) += i - 0.5 * j;
    }
#pragma endscop
}

static void mirror(size_t n, size_t m, float *restrict a, const float *restrict b)
{
#pragma scop
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            a[i * m + (m - 1 - j)] = b[j * n + i];
#pragma endscop
}

static void carry(unsigned n, unsigned m, float *restrict a)
{
#pragma scop
    for (unsigned i = 1; i < n; i++)
        for (unsigned j = 0; j < m; j++)
            a[i * m + j] += a[(i - 1) * m + j];
#pragma endscop
}

static void flat(int n, int m, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n * m; i++)
        a[i + m * n] = 2 * a[i] + i;
#pragma endscop
}

static void batches(int count, int n, int m, double *restrict a)
{
#pragma scop
    for (int k = 0; k < count; k++)
        for (int j = 0; j < n * m; j++)
            a[k * n * m + j] += k - 0.25 * j;
#pragma endscop
}

static void triangle(int n, double *restrict a)
{
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++)
            a[i * n + j] = a[j * n + i] + a[n * n - 1];
#pragma endscop
}

/* Every other row, half as far in as down. */
static void steep(int n, double *restrict x, const double *restrict a)
{
#pragma scop
    for (int i = 2; i < n; i++)
        x[i] = 100 * a[(2 * i) * (n + 1) + (i - 1) / 2];
#pragma endscop
}

/* Every fourth column from two thirds as far down: the last element in use is a quotient of a quotient. */
static void thirds(int n, double (*restrict x)[n], const double (*restrict a)[1])
{
#pragma scop
    for (int i = 0; i < n; i += 4)
        x[0][i] = a[(2 * i) / 3][0];
#pragma endscop
}

/* Two parts of an array, one of them for some sizes alone: the loops that pack them are too much for isl as they stand. */
static void parts(int n, double (*restrict s)[1], double (*restrict b)[2], const double *restrict a)
{
#pragma scop
    for (int i = n; i <= 2 * n - 1; i++)
        s[0][0] = a[i];
    if (n % 4 < 1)
        for (int i = 0; i < 2; i++)
            b[0][i] = a[i] * 1e-11;
#pragma endscop
}

/* Three sets of elements, one with steps of three and a bound that is a quotient: too much for isl even if they are disjoint. */
static void thirds_and_halves(int n, int m, double *restrict a)
{
#pragma scop
    for (int i = 0; i < (n + 2) / 2; i += 3) {
        for (int j = 0; j < m; j += 2)
            a[i] = a[j];
        for (int j = 0; j < n / 3; j++)
            a[j] = 1;
    }
    for (int i = 2; i < n; i++)
        for (int j = 0; j < n; j++)
            a[j + n - i] *= 1;
#pragma endscop
}

/* All of each row but the last element is written, and nothing is read: what comes back has these last elements. */
static void but_the_last(int n, int m, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m - 1; j++)
            a[i * m + j] = b[i * m + j] * 0.5;
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv), m = n + 3, k = n / 2 + 1;
    double *a = doubles(n * k), *b = doubles(k * m), *c = doubles(n * m);
    multiply(n, m, k, c, a, b);
    SHOW(c, n * m);

    double *p = doubles(n * m * k), *q = doubles(n * m * k);
    diffuse(n, m, k, 3, p, q);
    SHOW(p, n * m * k);

    double *d = doubles(n * (n + 5));
    strided(n, n + 5, d);
    SHOW(d, n * (n + 5));

    float *e = floats(n * m), *f = floats(n * m);
    mirror(n, m, e, f);
    carry(n, m, f);
    SHOW(e, n * m);
    SHOW(f, n * m);

    double *g = doubles(2 * n * m), *h = doubles(k * n * m), *t = doubles(n * n + 1);
    flat(n, m, g);
    batches(k, n, m, h);
    triangle(n, t);
    SHOW(g, 2 * n * m);
    SHOW(h, k * n * m);
    SHOW(t, n * n);

    double *x = doubles(n), *y = doubles(2 * n * (n + 1));
    steep(n, x, y);
    SHOW(x, n);

    double *last = doubles(1), *pair = doubles(2);
    thirds(n, (void *)x, (void *)y);
    parts(n, (void *)last, (void *)pair, y);
    SHOW(x, n);
    SHOW(last, 1);
    SHOW(pair, 2);

    but_the_last(n, m, c, p);
    SHOW(c, n * m);

    double *z = doubles(2 * n + m + 1);
    thirds_and_halves(n, m, z);
    SHOW(z, 2 * n + m + 1);
    return 0;
}
