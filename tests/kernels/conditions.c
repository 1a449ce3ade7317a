/* Conditions on iterators and parameters. */
#include "support.h"

static void branches(int n, int m, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (i < m)
            a[i] = a[i] + 1.0;
        else
            a[i] = b[i] * 2.0;
        if (i > 2 && i < n - 2)
            b[i] = a[i] - a[i - 1];
    }
#pragma endscop
}

static void parity(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (i % 2 == 0)
            a[i] = 1.0;
        else if (i % 3 == 1)
            a[i] = 2.0;
        else
            a[i] = 3.0;
    }
#pragma endscop
}

static void either(int n, double a[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i == j || i + j == n - 1)
                a[i][j] = 1.0;
            else if (!(i < j))
                a[i][j] *= 0.5;
#pragma endscop
}

static void outside(int n, double *a)
{
#pragma scop
    if (n > 10)
        for (int i = 0; i < n; i++)
            a[i] = a[i] * 0.25;
    else
        for (int i = 0; i < n; i++)
            a[i] = 4.0;
#pragma endscop
}

/* Every second point depends on the one before. */
static void chequered(int n, double *a)
{
#pragma scop
    for (int i = 1; i < n; i++)
        if (i % 2 == 1)
            a[i] = a[i - 1] + 1.0;
#pragma endscop
}

/* A choice between values, not between statements. */
static void values(int n, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] < b[i] ? b[i] : a[i] > 0.5 && b[i] > 0.0 ? 0.5 : a[i];
#pragma endscop
}

/* Remainders that distinguish more cases than sets should have: computed when the program runs. */
static void many_cases(int n, int p, double a[n][n], const double b[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if ((i + 2 * j) % 29 != (i - j + p) % 31 && (j % 3 != i % 5 || (j + p) % 37 > i % 41))
                a[i][j] += b[j];
#pragma endscop
}

/* A divisor for each statement, and more than are analysed. */
static void many_divisors(int n, int m, double a[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (i % 2 == 0 && i > m)
            a[i] += 1.0;
        if (i % 3 == 1 && i > 2 * m)
            a[i] *= 0.5;
        if (i % 5 == 3 || i < m)
            a[i] += 3.0;
        if (i % 7 != 5)
            a[i] -= 0.25;
        if (i / 11 % 2 == 1)
            a[i] *= 0.75;
        if ((i & 15) == 3)
            a[i] += a[0];
        if (i % 13 == 7 && i > 3 * m)
            a[i] += 7.0;
        else if (i % 17 == 2)
            a[i] -= 2.0;
        if (i % 19 == 11)
            for (int j = 0; j < m; j++)
                a[i] += 0.125 * j;
    }
#pragma endscop
}

/* Conditions whose set is in many pieces: one inside the other, and the last branch of many. */
static void many_pieces(int n, double a[n])
{
#define NOT(k) if (i != 3 * (k)) if (i != 3 * (k) + 1) if (i != 3 * (k) + 40) if (i != 2 * (k) + 90) if (i != 2 * (k) + 130)
#define IS(k) if (i == 2 * (k)) a[i] += k; else
#pragma scop
    for (int i = 0; i < n; i++)
        NOT(0) NOT(1) NOT(2) NOT(3) NOT(4) NOT(5) NOT(6) NOT(7)
            a[i] += 1.0;
    for (int i = 0; i < n; i++)
        IS(0) IS(1) IS(2) IS(3) IS(4) IS(5) IS(6) IS(7) IS(8) IS(9) IS(10) IS(11) IS(12) IS(13) IS(14) IS(15) IS(16) IS(17)
            a[i] *= 0.5;
#pragma endscop
}

/* Branches that are never taken, with accesses to arrays that nothing else uses. */
static void never(int n, double *restrict a, const double unused[restrict n], double *restrict unset)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i < 0 ? unused[i] : 1;
    for (int i = 0; i < n; i++)
        if (a[i] > 0.5) {
            if (i >= n)
                unset[i] = 1.0;
            else
                a[i] = n >= 0 || unused[i] > 0.0 ? 2 * a[i] : unused[i];
        }
#pragma endscop
}

/* A branch that is taken in one of several tiles and rows. */
static void seldom(int n, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[j] = (i == 0 ? b[j] : i == 7 && j > 40 ? b[j] + b[j - 40] : a[j]) * 0.5;
#pragma endscop
}

/* A range asked for by one comparison: the numbers below it become large. */
static void within(int n, int m, double a[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        if ((unsigned)(i - 2) < (unsigned)m)
            a[i] += 1.0;
#pragma endscop
}

/* Branches that never run together, on arrays of which each has a copy in registers or shared memory. */
static void modes(int n, int mode, double a[n], double b[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (mode == 0) {
            a[i] = 1.5;
        } else if (mode == 1) {
            b[i] = 2.5;
        } else {
            a[i] += 1;
            b[i] -= 1;
        }
    }
#pragma endscop
}

static void smoothed(int n, int mode, const double a[n], double b[n])
{
#pragma scop
    for (int i = 2; i < n - 2; i++)
        for (int j = 0; j < 5; j++) {
            if (mode == 0)
                b[i] += a[i + j - 2];
            else if (mode > 0 && j % 2 == 0)
                b[i] -= a[i - j + 2];
            else
                b[i] += a[i + j - 2] * a[i];
        }
#pragma endscop
}

/* A branch and its opposite in the tiles of a product. */
static void signed_product(int n, int m, double a[n][n], double b[n][n], double c[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++)
                if (j <= m)
                    c[i][j] += a[i][k] * b[k][j];
                else
                    c[i][j] -= a[i][k] * b[k][j];
        }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *a = doubles(n), *b = doubles(n), *square = doubles((size_t)n * n);

    branches(n, n / 2, a, b);
    SHOW(a, n);
    SHOW(b, n);
    parity(n, a);
    SHOW(a, n);
    either(n, (double (*)[n])square);
    SHOW(square, (size_t)n * n);
    outside(n, a);
    SHOW(a, n);
    chequered(n, b);
    SHOW(b, n);
    values(n, a, b);
    SHOW(a, n);
    never(n, a, b, square);
    SHOW(a, n);
    seldom(n, a, b);
    SHOW(a, n);
    many_divisors(n, 5, a);
    SHOW(a, n);
    many_pieces(n, a);
    SHOW(a, n);
    many_cases(n, 3, (double (*)[n])square, b);
    SHOW(square, (size_t)n * n);
    for (int m = -3; m < n; m += 5)
        within(n, m, a);
    SHOW(a, n);
    for (int mode = -1; mode < 3; mode++) {
        const int used = n > 2 ? n - 1 : n;
        modes(used, mode, a, b);
        smoothed(used, mode, a, b);
        SHOW(a, n);
        SHOW(b, n);
    }
    double *left = doubles((size_t)n * n), *product = doubles((size_t)n * n);
    signed_product(n, n / 2, (void *)left, (void *)square, (void *)product);
    SHOW(product, (size_t)n * n);
    return 0;
}
