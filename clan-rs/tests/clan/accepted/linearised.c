/* Subscripts that hide the dimensions of an array, and products of parameters. */
#include <stddef.h>

void product(int n, int m, int k, double *restrict a, double *restrict b, double *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i * m + j] = 0;
            for (int l = 0; l < k; l++)
                c[i * m + j] += a[i * k + l] * b[l * m + j];
        }
#pragma endscop
}

void neighbours(int nx, int ny, int nz, double *restrict p, double *restrict q)
{
#pragma scop
    for (int k = 1; k < nz - 1; k++)
        for (int j = 1; j < ny - 1; j++)
            for (int i = 1; i < nx - 1; i++) {
                int c = (k * ny + j) * nx + i;
                q[c] = p[c - 1] + p[c + 1] + p[c - nx] + p[c + nx] + p[c - nx * ny] + p[c + nx * ny];
            }
#pragma endscop
}

/* It is assumed that n <= stride. */
void strided(int n, long stride, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        long row = i * stride;
        for (int j = 0; j < n; j++)
            *(a + row + j) = i - j;
    }
#pragma endscop
}

void mirrored(size_t n, size_t m, float *restrict a)
{
#pragma scop
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            a[i * m + (m - 1 - j)] = i + j;
#pragma endscop
}

/* It is assumed that n and m are small enough for 32 bits. */
void narrow(unsigned n, unsigned m, float *restrict a)
{
#pragma scop
    for (unsigned i = 1; i < n; i++)
        for (unsigned j = 0; j < m; j++)
            a[i * m + j] += a[(i - 1) * m + j];
#pragma endscop
}

void flat(int n, int m, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n * m; i++)
        a[i] = 2 * a[i + m * n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= m; j++)
            b[i * (m + 1) + j] = 1;
#pragma endscop
}

void batches(int count, long n, long m, double *restrict a)
{
#pragma scop
    for (int k = 0; k < count; k++)
        for (int j = 0; j < n * m; j++)
            a[k * n * m + j] = k;
#pragma endscop
}

void last(int n, double *restrict a)
{
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            a[n * i + j] = a[n * n - 1] + a[j];
#pragma endscop
}

/* The last row may end behind its first element. */
void beginnings(int n, int m, const int chosen[n], double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i * m] = 1;
        for (int j = 0; j < m; j++)
            if (chosen[i])
                a[i * m + j] = 2;
    }
#pragma endscop
}

/* One of two, whose sum with the rest is no single expression. */
void chosen(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + (j > 4 ? 4 : j)] = 0;
#pragma endscop
}

/* Constant factors before and behind the product. */
void even(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[2 * (i * n) + j] = a[(i * n) * 2 + j] + 1;
#pragma endscop
}
