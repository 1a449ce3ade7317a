/* Sums and the like, whose order must not change. */
#include "support.h"

static double total(int n, const double *a)
{
    double sum = 0.5;
#pragma scop
    for (int i = 0; i < n; i++)
        sum += a[i];
#pragma endscop
    return sum;
}

static void rows(int n, double a[n][n], double *restrict sum, double *restrict largest)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        sum[i] = 0.0;
        largest[i] = a[i][0];
        for (int j = 0; j < n; j++) {
            sum[i] += a[i][j];
            largest[i] = a[i][j] > largest[i] ? a[i][j] : largest[i];
        }
    }
#pragma endscop
}

static void columns(int n, double a[n][n], double *restrict sum)
{
#pragma scop
    for (int j = 0; j < n; j++)
        sum[j] = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum[j] += a[i][j];
#pragma endscop
}

static void prefix(int n, double *a)
{
#pragma scop
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1];
#pragma endscop
}

static void prefixes(int n, double a[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++)
            a[i][j] += a[i][j - 1];
#pragma endscop
}

static long count(int n, const double *a, double limit)
{
    long found = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        found += a[i] > limit ? 1 : 0;
#pragma endscop
    return found;
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *a = doubles(n), *sum = doubles(n), *largest = doubles(n), *square = doubles((size_t)n * n + 1);

    printf("%a\n", total(n, a));
    printf("%ld\n", count(n, a, 0.25));
    rows(n, (double (*)[n])square, sum, largest);
    SHOW(sum, n);
    SHOW(largest, n);
    columns(n, (double (*)[n])square, sum);
    SHOW(sum, n);
    prefix(n, sum);
    SHOW(sum, n);
    prefixes(n, (double (*)[n])square);
    SHOW(square, (size_t)n * n);
    return 0;
}
