// Prefix sums: each intermediate value of a sum is read.
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 5 };

// The value after each iteration, and the sum.
static int inclusive(int n, const int *restrict x, int *restrict y)
{
    int s = 3;
#pragma scop
    for (int i = 0; i < n; i++) {
        s += x[i];
        y[i] = s;
    }
#pragma endscop
    return s;
}

// The value before each iteration.
static unsigned exclusive(int n, const unsigned *restrict x, unsigned *restrict y, unsigned *restrict last)
{
    unsigned s = *last;
#pragma scop
    for (int i = 2; i < n; i++) {
        y[i] = s;
        s += 2 * x[i] + 1;
    }
#pragma endscop
    *last = s;
    return s;
}

// Both, in place; the loop does not start at zero, and may read one value more than it adds.
static long in_place(int from, int n, long *x, long *restrict before)
{
    long s = 0;
#pragma scop
    for (int i = from; i < n; i++) {
        before[i] = s;
        s ^= x[i];
        x[i] = s;
    }
#pragma endscop
    return s;
}

// Data decide which elements count; positions of those that are kept.
static int kept(int n, const int *restrict x, int *restrict at)
{
    int count = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        at[i] = count;
        if (x[i] > 0)
            count += 1;
    }
#pragma endscop
    return count;
}

// The largest value so far.
static int largest(int n, const int *restrict x, int *restrict y)
{
    int m = -1000000;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (x[i] > m)
            m = x[i];
        y[i] = m;
    }
#pragma endscop
    return m;
}

// A sum of rows, and two in one nest.
static void rows(int n, const int x[restrict n][ROWS], int *restrict y, long *restrict z)
{
    int s = 0;
    long t = 1;
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < ROWS; j++)
            s += x[i][j];
        y[i] = s;
    }
    for (int i = 0; i < n; i++) {
        t += x[i][0];
        s -= x[i][1];
        z[i] = t * s;
    }
#pragma endscop
    y[0] += s;
}

// A sum for each row, which is an element.
static void elements(int n, int x[restrict ROWS][n], int s[restrict ROWS])
{
#pragma scop
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < n; i++) {
            s[r] += x[r][i];
            x[r][i] = s[r] + i;
        }
#pragma endscop
}

// The sum is not reset from one step to the next.
static int steps(int m, int n, const int *restrict x, int *restrict y)
{
    int s = 0;
#pragma scop
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < n; i++) {
            s += x[i];
            y[i] += s * t;
        }
        s = s / 2;
    }
#pragma endscop
    return s;
}

// Rounded, so only with a permission.
static double rounded(int n, const double *restrict x, double *restrict y)
{
    double s = 0.5;
#pragma scop
    for (int i = 0; i < n; i++) {
        s += x[i];
        y[i] = s;
    }
#pragma endscop
    return s;
}

static int value(int i) { return (int)((unsigned)i * 2654435761u >> 20) % 2001 - 1000; }

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100, m = argc > 2 ? atoi(argv[2]) : 2;
    int size = n > 0 ? n : 1;
    int *x = malloc(sizeof *x * size), *y = malloc(sizeof *y * size);
    unsigned *u = malloc(sizeof *u * size), *v = calloc(size, sizeof *v);
    long *a = malloc(sizeof *a * size), *b = calloc(size, sizeof *b);
    int (*wide)[ROWS] = malloc(sizeof *wide * size);
    double *p = malloc(sizeof *p * size), *q = malloc(sizeof *q * size);
    for (int i = 0; i < n; i++) {
        x[i] = value(i);
        y[i] = v[i] = b[i] = 0;
        u[i] = value(2 * i);
        a[i] = value(3 * i) * 1234567l;
        p[i] = 0.125 * value(i);
        for (int j = 0; j < ROWS; j++)
            wide[i][j] = value(i * ROWS + j) % 100;
    }
    unsigned last = 7;
    long check = inclusive(n, x, y);
    for (int i = 0; i < n; i++)
        check = check * 31 + y[i];
    check += exclusive(n, u, v, &last);
    for (int i = 0; i < n; i++)
        check = check * 31 + v[i];
    check += in_place(n < 3 ? 0 : 3, n, a, b);
    for (int i = 0; i < n; i++)
        check = check * 31 + a[i] + 7 * b[i];
    check += kept(n, x, y);
    for (int i = 0; i < n; i++)
        check = check * 31 + y[i];
    check += largest(n, x, y);
    for (int i = 0; i < n; i++)
        check = check * 31 + y[i];
    if (n > 0)
        rows(n, (const int (*)[ROWS])wide, y, b);
    for (int i = 0; i < n; i++)
        check = check * 31 + y[i] + b[i];
    int *r = malloc(sizeof *r * size * ROWS), s[ROWS] = { 5, 4, 3, 2, 1 };
    for (int i = 0; i < n * ROWS; i++)
        r[i] = value(i) % 50;
    elements(n, (int (*)[n])r, s);
    for (int i = 0; i < n * ROWS; i++)
        check = check * 31 + r[i] + s[i % ROWS];
    check += steps(m, n, x, y);
    for (int i = 0; i < n; i++)
        check = check * 31 + y[i];
    check += (long)rounded(n, p, q);
    for (int i = 0; i < n; i++)
        check = check * 31 + (long)(q[i] * 8);
    printf("%ld\n", check);
    return 0;
}
