/* Loops in either direction, with steps, and with bounds of many kinds. */
#include "support.h"

static void downward(int n, double *a)
{
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        a[i] = a[i] * 2.0 + 1.0;
#pragma endscop
}

static void downward_in_order(int n, double *a)
{
#pragma scop
    for (int i = n - 2; i >= 0; i--)
        a[i] = a[i] + 0.5 * a[i + 1];
#pragma endscop
}

static void steps(int n, double *restrict a, double *restrict b)
{
    int i;
#pragma scop
    for (i = 0; i < n; i += 3)
        a[i] = 1.5;
    for (i = n - 1; i > 0; i -= 2)
        b[i] = a[i] + a[i - 1];
#pragma endscop
}

static void triangles(int n, double a[n][n], double b[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            a[i][j] = b[j][i] + 1.0;
    for (int i = 0; i < n; i++)
        for (int j = n - 1; j > i; j--)
            a[i][j] = a[j][i] * 0.5;
#pragma endscop
}

static void bounds(int n, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = n / 3; i < (2 * n + 1) / 3; i++)
        a[i] *= 3.0;
    for (int i = 0; 2 * i < n; i++)
        b[2 * i] = a[i] - 1.0;
    for (int i = 5; i <= n - 5; i++)
        b[i] += 2.0;
    for (int i = 3; i < 7; i++)
        b[i - 3] = 0.25 * i;
#pragma endscop
}

static void wide(long n, double *restrict a)
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (short j = 0; j < 3; j++)
            a[3 * i + j] = a[3 * i + j] * 0.5 + j;
#pragma endscop
}

static void unit(int n, double *a)
{
#pragma scop
    a[0] = a[n] + 1.0;
    a[n] = 7.0;
    for (int i = 1; i < n; ++i) {
        a[i] = a[i] - 1.0;
    }
#pragma endscop
}

/* A wavefront with tiles between which there are some without a point: of 2 x 2 points, those of every third row and of the middle column. */
static void every_third(int n, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 1; i < n; i += 3)
        for (int j = 1; j < 5; j += 3) {
            b[j] += a[i];
            a[i] += b[j] / 2;
        }
#pragma endscop
}

/* One kernel at two places of the program: in an iteration of a loop on the host, and for the size at which there is none. */
static void twice(int n, double *restrict a, double *restrict last)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[i] = 1;
        double t = 1;
        for (int j = 0; j <= n - 1; j++)
            a[2] += 2;
        last[0] += t;
    }
#pragma endscop
}

/* One dependence after the other is carried, and that none is left of some shows only where it is looked at closely: isl's scheduler did not. */
static void carried(int n, int m, double a[restrict n + m + 3], float b[restrict n + m + 2][n + m + 1],
                    double c[restrict n + m + 1])
{
#pragma scop
    for (int i = 0; i < m; i++) {
        a[0] += c[i + 1] - b[i][m];
        b[i + 1][(2 * i) / 3] = 1;
        for (int j = 0; j < (n + 1) / 2; j++) {
            b[n + m - i - 1][j] += a[j];
            b[i + 2][i] = c[j];
        }
        for (int j = 0; j <= n - 1; j++)
            b[i][i + j + 2] += b[i][j];
    }
#pragma endscop
}

/* Where `i` goes in steps of two, `j` has two values in the condition: only a loop that isl does without otherwise carries what is between them. */
static void two_of_a_row(int n, double a[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i += 2)
        for (int j = 0; j < (n < i + 1 ? n : i + 1); j++)
            for (int k = 0; k <= n - 1; k++) {
                a[0] = i + j;
                if (j >= i - 1)
                    a[k] = 2 * i + j - k;
            }
#pragma endscop
}

/* The condition fails, and holds again where the loop does not come any more. */
static void until_a_gap(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n && (i < 4 || i > 6); i++)
        a[i] = n;
#pragma endscop
}

/* Loops that count in their condition. */
static void counted_in_conditions(size_t n, int m, double *restrict a, double b[n][m > 0 ? m : 1])
{
#pragma scop
    for (size_t i = n; i-- > 0;)
        a[i] = a[i] * 2 + (double)i;
    for (unsigned i = n; i--;)
        for (int j = m; 2 < j--; )
            b[i][j] = b[i][j] * 0.5 + i - j;
    for (unsigned i = n; i-- != 0;)
        for (int j = m; j-- >= 1;)
            b[i][j] += a[i];
    for (int i = n; i-- > 1;)
        a[i] -= a[i - 1];
#pragma endscop
}

static void counted_by_data(unsigned n, double *restrict a, const double *restrict b)
{
#pragma scop
    for (unsigned i = n; i-- > 0;) {
        int k = 0;
        for (unsigned j = (unsigned)(int)b[i] & 7; j-- > 0;)
            k += j;
        a[i] += k;
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *a = doubles(3 * n + 7), *b = doubles(3 * n + 7);
    double *square = doubles((size_t)n * n), *other = doubles((size_t)n * n);

    downward(n, a);
    SHOW(a, n);
    downward_in_order(n, a);
    SHOW(a, n);
    steps(n, a, b);
    SHOW(a, n);
    SHOW(b, n);
    triangles(n, (double (*)[n])square, (double (*)[n])other);
    SHOW(square, (size_t)n * n);
    bounds(n, a, b);
    SHOW(a, n);
    SHOW(b, n + 7);
    wide(n, a);
    SHOW(a, 3 * n);
    unit(n, a);
    SHOW(a, n + 1);
    every_third(n, a, b);
    SHOW(a, n);
    SHOW(b, n + 7);
    twice(n, a, b);
    SHOW(a, 3 * n);
    SHOW(b, 1);
    int m = n / 2;
    float *values = floats((size_t)(n + m + 2) * (n + m + 1));
    carried(n, m, a, (void *)values, b);
    SHOW(a, n + m + 3);
    SHOW(values, (size_t)(n + m + 2) * (n + m + 1));
    two_of_a_row(n, b);
    SHOW(b, n);
    until_a_gap(n, a);
    SHOW(a, 3 * n);
    counted_in_conditions(n, n, a, (void *)square);
    counted_in_conditions(0, n, a, (void *)square);
    counted_in_conditions(1, -n, a, (void *)square);
    SHOW(a, n);
    SHOW(square, (size_t)n * n);
    counted_by_data(n, a, b);
    SHOW(a, n);
    return 0;
}
