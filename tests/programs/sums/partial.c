/* Sums of which all blocks of a grid take a part. The data are multiples of 1/64, so that no sum is rounded.
 *
 * Usage: partial n m
 */
#include "../../kernels/support.h"

static double norm(int n, int m, double a[n][m])
{
    double sum = 0.25;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += a[i][j] * a[i][j];
#pragma endscop
    return sum;
}

static int above(int n, const double *restrict x, double limit)
{
    int count = 3;
#pragma scop
    for (int i = 0; i < n; i++)
        count += x[i] > limit;
#pragma endscop
    return count;
}

static void extremes(int n, const int *restrict k, int *restrict least, int *restrict most)
{
#pragma scop
    *least = 2147483647;
    *most = -2147483647 - 1;
    for (int i = 0; i < n; i++) {
        if (k[i] < *least)
            *least = k[i];
        *most = k[i] > *most ? k[i] : *most;
    }
#pragma endscop
}

static unsigned long bits(int n, const unsigned long *restrict b)
{
    unsigned long all = ~0ul, odd = 0, product = 1;
#pragma scop
    for (int i = 0; i < n; i++) {
        all &= b[i] | 3;
        odd ^= b[i];
        product *= b[i] | 1;
    }
#pragma endscop
    return all + 3 * odd + 5 * product;
}

/* One element for each column, and other statements that use it before and after the loop of the sum. */
static void columns(int n, int m, double a[n][m], double *restrict sum)
{
#pragma scop
    for (int j = 0; j < m; j++) {
        sum[j] = 1;
        for (int i = 0; i < n; i++)
            sum[j] += a[i][j];
        sum[j] = sum[j] * 2;
    }
#pragma endscop
}

/* Elements that change with each step of an outer loop, which needs what the sum was before. */
static void steps(int n, int m, double *restrict x)
{
    double mean = 0;
#pragma scop
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < n; i++)
            mean += x[i];
        for (int i = 0; i < m; i++)
            x[i] = mean > 100 ? 1 : x[i] + 0.5;
    }
    x[0] = mean;
#pragma endscop
}

/* A sum that another statement of the loop reads cannot be divided. */
static void prefix(int n, double *restrict x)
{
    double sum = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        sum += x[i];
        x[i] = sum;
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv), m = argc > 2 ? atoi(argv[2]) : 7;
    double(*a)[m] = allocate((size_t)n * m, sizeof(double));
    double *x = allocate(n > m ? n : m, sizeof *x), *sum = allocate(m, sizeof *sum);
    int *k = bytes(n, sizeof *k);
    unsigned long *b = bytes(n, sizeof *b);
    unsigned state = 5;
    for (int i = 0; i < n; i++) {
        x[i] = draw(&state) % 128 / 64.0;
        for (int j = 0; j < m; j++)
            a[i][j] = draw(&state) % 128 / 64.0;
    }
    double of_squares = norm(n, m, a);
    int count = above(n, x, 0.5), least, most;
    extremes(n, k, &least, &most);
    unsigned long all = bits(n, b);
    columns(n, m, a, sum);
    show("norm", &of_squares, 1, sizeof of_squares);
    show("above", &count, 1, sizeof count);
    show("least", &least, 1, sizeof least);
    show("most", &most, 1, sizeof most);
    show("bits", &all, 1, sizeof all);
    show("columns", sum, m, sizeof *sum);
    steps(n, n < m ? n : m, x);
    show("steps", x, n, sizeof *x);
    prefix(n, x);
    show("prefix", x, n, sizeof *x);
    free(a);
    free(x);
    free(sum);
    free(k);
    free(b);
    return 0;
}
