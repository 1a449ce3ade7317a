/* Elements that only some sizes, some instances or some blocks use. */
#include "support.h"

/* The conditions of two kernels in a row are on different parameters. */
static void in_turns(int n, int m, double last[1], double sum[1][1], double a[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = 1;
        a[i] = 1;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++)
            sum[0][0] += 1;
        last[0] = 1;
    }
#pragma endscop
}

/* One thread reads an element that it wrote, the others take none from before. */
static void first_again(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 1;
    a[0] *= 3;
#pragma endscop
}

/* Two elements have a value from before, behind n others. */
static void shifted(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i + 2] = 1;
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2;
#pragma endscop
}

/* Statements with a body that data decide about read elements, three of which come from before. */
static void counted(int n, double *restrict a, double b[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 3; j < n; j++)
            a[j] = 2;
        int left = (int)a[i] & 3;
        while (left > 0) {
            b[i] = left;
            left--;
        }
    }
#pragma endscop
}

/* What goes to the device is a box if n is 2 and another if it is more; if it is 1, there is none. */
static void two_or_more(int n, double *restrict a)
{
#pragma scop
    for (int i = 1; i < n; i++)
        a[i + 1] = (i % 2 == 1 ? 1 : a[(2 * i - 1) / 2]) > a[i + 1] ? (i % 2 == 1 ? 1 : a[(2 * i - 1) / 2]) : a[i + 1];
    for (int i = 0; i < n; i++)
        a[i] = 1;
#pragma endscop
}

/* The same on the way back. */
static void three_or_more(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n - 2; i++)
        a[i] = 1;
    for (int i = 2; i <= n - 1; i++)
        a[2] = 2;
    a[0] = 3;
#pragma endscop
}

/* With m a row further on; without n none at all. */
static void either(int n, int m, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 1;
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i - 1; j++)
            a[j + 2] = 2;
#pragma endscop
}

/* With a counter of type long the largest n is known; what comes back, if n is 3 or more, is asked for others as well. */
static void long_counter(int n, double a[1], double b[1][n])
{
#pragma scop
    for (long i = 0; i < n; i++) {
        for (int j = i + 2; j < n; j++)
            a[0] = 1;
        for (int j = 0; j < n; j++)
            b[0][j] = a[0] * 3;
    }
#pragma endscop
}

/* A statement reads what it has just written itself. */
static void own(int n, double a[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        __attribute__((unused)) int seen = 1;
        a[i][i] = 1;
        seen = a[i][i];
    }
#pragma endscop
}

/* What is new in the buffer of the last, smaller block of each row begins elsewhere; blocks behind it would use places twice. */
static void diagonals(int n, const long *restrict a, double b[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k <= n - 1; k++) {
                int t = (int)(a[i + k] % 1000);
                b[j][k] = 1 / ((t % 1000) + 998002.0);
            }
#pragma endscop
}

static double steep_table[3][20];

/* Blocks that are not started would run instances that others run. */
static void steep(int n, unsigned a[2 * n + 1], const int index[1])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= n - 1; j++)
            steep_table[0][0] = 1;
    for (int i = 0; i < n; i++) {
        steep_table[0][index[0]] = 1;
        for (int j = 0; j <= i + n - 1; j++) {
            for (int k = 0; k < n; k++)
                if (k != 2 * j)
                    a[k] = 1;
            a[j] = (int)steep_table[j % 3][j];
        }
        for (int j = 0; j < n; j++)
            a[j + 1] = a[j];
    }
#pragma endscop
}

/* Columns in thirds: the first copies to shared memory would be of elements that there are none of. */
static void in_thirds(int n, double a[2 * n], const double b[n])
{
#pragma scop
    for (int i = 0; i < n; i += 2)
        for (int j = 0; j < n; j++)
            if (j % 3 >= 2)
                a[i + j] = b[j] * 1e-8;
#pragma endscop
}

/* A step behind every third column: a tile of two by two points copies elements of one column or of two. */
static void stairs(int n, double a[n][n + 1], double b[2 * n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i + j][j] = a[j][j / 3] * 1e-4;
#pragma endscop
}

/* Whether there is a row at all is a question of its own. */
static void some_row(int n, double *s, double a[1][n])
{
#pragma scop
    for (int i = 0; i < (n + 2) / 3; i++)
        if ((i + n + 2) % 4 != 1)
            for (int j = 0; j < n; j++)
                a[0][j] = *s;
#pragma endscop
}

/* Of a quotient's numerator, the sign is known within the loop only. */
static void quotients(int n, int m, double a[n + m][m + 1])
{
    for (int i = 0; i < m; i++) {
#pragma scop
        for (int j = 0; j < n; j++)
            a[n][m] = a[(i + j) / 3][i / 2] + 0.5 * a[n][m];
#pragma endscop
    }
}

/* Of the two elements of the last row that is written, for each third of the sizes another one exists, or both. */
static void by_parity(int n, double a[][2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2 * n; j++)
            for (int k = i + 2; k <= n - 1; k++)
                if (j >= i + 2 * k)
                    a[i][k % 2] = 1;
#pragma endscop
}

/* An element of a row that does not exist is read never. */
static void no_row(int n, int i, double a[n], const double rows[2][3][4], const int *restrict column)
{
#pragma scop
    if (i != 3 * i + 2) {
        for (int j = 0; j < n; j++)
            a[j] = j;
    } else {
        a[0] = rows[0][i][column[0]];
    }
#pragma endscop
}

/* In tiles of 2 x 10 points the copies of `a` have conditions that isl cannot simplify. */
static void anti_diagonal(int n, unsigned s, unsigned a[restrict 15][12])
{
#pragma scop
    for (int j = 1; j <= n - 3; j += 2)
        a[n - j - 1][j] = s;
    for (int i = 0; i < n; i++) {
        a[i][2] = a[i][i] + s * (i + 1);
        a[i][i] = s;
    }
    for (int j = 0; j < n; j++)
        for (int k = 0; k <= n - 1; k++)
            a[j + 2][k + 2] += s;
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *a = doubles(3 * n + 7), *b = doubles(3 * n + 7), *square = doubles((size_t)n * n + 1);

    const int pairs[][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 3 }, { 3, 1 }, { 2, 5 } };
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        in_turns(pairs[k][0], pairs[k][1], b + 1, (double (*)[1])b, a);
        either(pairs[k][0], pairs[k][1], a);
        SHOW(a, 7);
        SHOW(b, 2);
    }
    first_again(n, a);
    SHOW(a, n + 1);
    shifted(n, a);
    SHOW(a, n + 2);
    counted(n, a, b);
    SHOW(b, n);
    for (int size = 0; size < 5; size++) {
        double *few = doubles(6);
        two_or_more(size, few);
        SHOW(few, 6);
        three_or_more(size, few);
        SHOW(few, 6);
        free(few);
    }
    for (int size = 0; size < 5; size++) {
        long_counter(size, a, (double (*)[size])b);
        SHOW(a, 1);
        SHOW(b, 5);
    }
    own(n, (double (*)[n])square);
    SHOW(square, (size_t)n * n);
    int side = n < 10 ? n : 10;
    long *whole = allocate(2 * (size_t)side, sizeof *whole);
    for (int i = 0; i < 2 * side; i++)
        whole[i] = 7919L * i;
    diagonals(side, whole, (double (*)[side])square);
    SHOW(square, (size_t)side * side);
    unsigned *values = bytes(2 * (size_t)side + 1, sizeof *values);
    const int first = 1;
    steep(side, values, &first);
    SHOW(values, 2 * (size_t)side);
    double *twice = doubles(2 * (size_t)n), *once = doubles(n), start = 0.5;
    in_thirds(n, twice, once);
    SHOW(twice, 2 * (size_t)n);
    double *treads = doubles((size_t)n * (n + 1)), *below = doubles(2 * (size_t)n * n);
    stairs(n, (double (*)[n + 1])treads, (double (*)[n])below);
    SHOW(below, 2 * (size_t)n * n);
    some_row(n, &start, (double (*)[n])once);
    SHOW(once, n);
    double *last = doubles(20);
    for (int size = 8; size < 11; size++) {
        by_parity(size, (double (*)[2])last);
        SHOW(last, 20);
    }
    double *rows = doubles(12 * 4);
    quotients(9, 3, (double (*)[4])rows);
    SHOW(rows, 12 * 4);
    no_row(9, 2, last, (const double(*)[3][4])rows, &first);
    SHOW(last, 20);
    unsigned *table = bytes(15 * 12, sizeof *table);
    anti_diagonal(side, 3, (unsigned(*)[12])table);
    SHOW(table, 15 * 12);
    return 0;
}
