/* Iterators that are used behind their loops. */
#include "support.h"

static int of_file = 7;

/* Subscripts and values behind loops; steps of any size, both directions. */
static int positions(int n, int m, double *restrict a, int *restrict last)
{
    int i, j = -1;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = a[i] + 1.0;
    a[i] = 0.5;
    last[0] = i;
    for (i = n; i > 0; i -= 3)
        a[i] = a[i] * 1.5;
    last[1] = i;
    for (i = 2; i <= m; i += 4)
        for (j = i; j < n; j++)
            a[j] = a[j] - 0.25;
    last[2] = i;
    last[3] = j;
    for (i = 0; i != n; i++)
        a[i] = 2.0 * a[i];
#pragma endscop
    return 10 * i + j;
}

/* A counter that outlives an iteration of the loop around it, in a triangle. */
static void triangle(int n, int a[n + 1][n + 1], int *restrict before)
{
    int j = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        before[i] = j;
        for (j = i; j < n; j += 2)
            a[i][j] = a[i][j] + i;
        a[i][n] = j;
    }
    before[n] = j;
#pragma endscop
}

/* Some iterations of the outer loop leave the counter as it was. */
static unsigned conditional(unsigned n, int *restrict a, unsigned *restrict seen)
{
    unsigned j = 3;
#pragma scop
    for (unsigned i = 0; i < n; i++) {
        if (i % 3 == 1)
            for (j = 0; j < i; j++)
                a[j] = a[j] + 1;
        seen[i] = j;
    }
#pragma endscop
    return j;
}

/* Other functions see the counter; the bound of a loop is where another one stopped. */
static void chained(int n, float *restrict a)
{
    long k;
#pragma scop
    for (of_file = n / 2; of_file < n; of_file++)
        a[of_file] = a[of_file] + 1.0f;
    for (k = of_file - 1; k >= 0; k--)
        a[k] = a[k] * 0.5f;
    for (int i = (int)k + 1; i < of_file; i++)
        a[i] = a[i] + 2.0f;
#pragma endscop
}

/* The region is repeated, and begins with what it left. */
static long repeated(int n, int m, double *restrict a)
{
    long i = 0;
    for (int t = 0; t < 3; t++) {
#pragma scop
        a[i] = a[i] + 1.0;
        if (m > 0)
            for (i = t; i < n; i += 4)
                a[i] = a[i] * 0.75;
#pragma endscop
    }
    return i;
}

/* A name for a value that the next loop changes. */
static void named(int n, int *restrict a)
{
    int i;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = a[i] + 3;
    int end = i;
    for (i = 0; i < n; i++)
        a[i] = a[i] + end;
#pragma endscop
}

/* The last loop uses the counter of another one, and no size lets control come there. */
static void never_compared(int n, int m, unsigned b[restrict 400], unsigned c[restrict 400])
{
    unsigned k;
    int l = n;
#pragma scop
    for (k = 0; k < (unsigned)m; k++)
        for (int x = n - 3; x < n; x++)
            for (l = 2; l < 5; l++)
                b[x - k + 60] = k;
    for (int y = l; y < m; y++)
        if (y == n)
            c[100] = l;
#pragma endscop
}

/* What a region leaves is read in types alone: of a cast, of a declaration. */
static long in_types(int n, int *a)
{
    int length, rows, i;
    char table[2][5];
#pragma scop
    length = n / 2;
    rows = 3;
    for (i = 0; i < 7; i++)
        table[i % 2][i % 5] = (char)(i + 2);
#pragma endscop
    __typeof__(int[i]) counts;
    __typeof__(char[table[1][0]]) of_table;
    return (long)sizeof counts + (long)sizeof of_table + ((int (*)[length])a + 1)[0][0]
           + ((int (*)[rows])a)[1][1];
}

/* Loops that begin by setting the counter, but for whoever jumps into them. */
static int jumped_into(int n, int *restrict a)
{
    int i, sum = 0;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = a[i] + 1;
#pragma endscop
    if (n > 3)
        goto inside;
    for (i = 0; i < 5; i++) {
    inside:
        sum += 10 + i;
    }
    int k;
#pragma scop
    for (k = 0; k < n; k++)
        a[k] = a[k] + 2;
#pragma endscop
    switch (n % 2) {
    case 0:
        for (k = 0; k < n + 3; k++) {
        case 1:
            sum += 100 + k;
        }
    }
    return sum;
}

/* A loop behind the region begins where the region stopped. */
static int continued(int n, int *restrict a)
{
    int i = 70, sum = 0;
#pragma scop
    for (i = 0; i < n; i += 2)
        a[i] = a[i] + 1;
#pragma endscop
    for (i = i + 1; i < 80; i++)
        sum += i;
    return sum;
}

/* Loops without a first part go on from where the iterator is. */
static int begun_before(int n, int *restrict a)
{
    int i = 3, down = n - 2;
#pragma scop
    for (; i < n; i++)
        a[i] += 5 * i;
    for (; down >= 7; down -= 2)
        a[down] *= 2;
#pragma endscop
    return i - 3 * down;
}

/* Going down, an iteration sees what the one before, with the larger value, left in the inner iterator. */
static void downwards(int n, int *restrict a, unsigned *restrict b)
{
    int j = 0;
#pragma scop
    for (int i = n - 1; i >= 0; i--) {
        b[i] = j;
        for (j = 0; j < i; j++)
            a[i] += j;
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *a = doubles(n + 9);
    float *f = floats(n + 1);
    int *square = allocate((size_t)(n + 1) * (n + 1), sizeof *square), *list = allocate(n + 9, sizeof *list);
    unsigned *seen = allocate(n + 1, sizeof *seen);

    unsigned *b = bytes(400, sizeof *b), *c = bytes(400, sizeof *c);
    for (int m = 0; m < 9; m++)
        never_compared(20, m, b, c);
    SHOW(b, 400);
    SHOW(c, 400);
    for (int m = 0; m < 4; m++) {
        printf("%d\n", positions(n, m * n / 2, a, list));
        SHOW(a, n + 1);
        SHOW(list, 4);
        printf("%ld\n", repeated(n, m, a));
        SHOW(a, n + 1);
    }
    triangle(n, (int (*)[n + 1])square, list);
    SHOW(square, (n + 1) * (n + 1));
    SHOW(list, n + 1);
    printf("%u\n", conditional(n, list, seen));
    SHOW(list, n);
    SHOW(seen, n);
    chained(n, f);
    SHOW(f, n);
    printf("%d\n", of_file);
    for (int k = 0; k < n + 9; k++)
        list[k] = k;
    printf("%ld %d\n", in_types(n, list), jumped_into(n, list));
    named(n, list);
    SHOW(list, n);
    printf("%d\n", continued(n, list));
    printf("%d\n", begun_before(n, list));
    SHOW(list, n);
    downwards(n, list, seen);
    SHOW(list, n);
    SHOW(seen, n);
    return 0;
}
