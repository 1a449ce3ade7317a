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

/* Integers may be combined in any order: these are. */
static int balance(int n, int a[n][n], int start)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            start = start + a[i][j] - (i ^ j) - 1;
#pragma endscop
    return start;
}

static unsigned parity(int n, const unsigned *restrict a, unsigned *restrict b)
{
    unsigned all;
#pragma scop
    all = 5u;
    for (int i = 0; i < n; i++) {
        b[i] = a[i] * 3u;
        all ^= b[i];
    }
    for (int i = 0; i < n; i++)
        b[i] += all;
#pragma endscop
    return all;
}

static void masks(int n, const unsigned *restrict a, unsigned long long *restrict seen)
{
#pragma scop
    for (int i = 0; i < n; i++)
        seen[0] |= 1ull << (a[i] % 64u);
    for (int i = 0; i < n; i++)
        seen[1] &= ~(1ull << (a[i] % 61u));
#pragma endscop
}

/* Read in each step, and set anew where it gets large. */
static long steps(int n, int a[n][n], long *restrict sums)
{
    long sum = 3;
#pragma scop
    for (int t = 0; t < n; t++) {
        if (t % 4 == 3)
            sum = t;
        for (int i = 0; i < n; i++)
            sum -= a[t][i];
        sums[t] = sum;
    }
#pragma endscop
    return sum;
}

/* Data decide what counts, and how. */
static long chosen(int n, const int *a, unsigned *restrict odd)
{
    long sum = 1;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > 0 && a[i] % 3 != 1)
            sum += a[i];
    for (int i = 0; i < n; i++) {
        int size = a[i];
        if (size < 0)
            size = -size;
        while (size > 300)
            size -= 100;
        *odd += size & 1;
    }
#pragma endscop
    return sum;
}

/* Short numbers, products, and a sum through a short number stay in order. */
static int in_order(int n, const unsigned *restrict a, short *restrict low)
{
    int product = 1, cut = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        *low += a[i];
    for (int i = 0; i < n; i++)
        product *= (int)(a[i] % 3u) + 1;
    for (int i = 0; i < n; i++)
        cut = (short)(cut + (int)(a[i] % 1000u));
#pragma endscop
    return product % 1000 + cut;
}

/* Each may be done in any order, and both may not: none of the second comes before one of the first. */
static int one_after_the_other(int n, const int *restrict a, const unsigned *restrict b)
{
    int s = 1;
#pragma scop
    for (int i = 0; i < n; i++)
        s += a[i];
    for (int i = 0; i < n; i++)
        s ^= (int)b[i];
#pragma endscop
    return s;
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

    int *table = malloc(((size_t)n * n + 1) * sizeof *table);
    unsigned *words = malloc((n + 1) * sizeof *words), *mixed = malloc((n + 1) * sizeof *mixed);
    long *sums = malloc((n + 1) * sizeof *sums);
    unsigned long long seen[2] = {0, ~0ull};
    short low = 7;
    for (int i = 0; i < n * n; i++)
        table[i] = (int)(i * 7919u % 1000u) - 400;
    for (int i = 0; i < n; i++)
        words[i] = i * 2654435761u;
    printf("%d\n", balance(n, (int (*)[n])table, 7));
    printf("%u\n", parity(n, words, mixed));
    masks(n, words, seen);
    printf("%llx %llx\n", seen[0], seen[1]);
    printf("%ld\n", steps(n, (int (*)[n])table, sums));
    unsigned odd = 0;
    printf("%ld", chosen(n, table, &odd));
    printf(" %u\n", odd);
    printf("%d", in_order(n < 16 ? n : 16, words, &low));
    printf(" %d\n", low);
    printf("%d\n", one_after_the_other(n, table, words));
    for (int i = 0; i < n; i++)
        printf("%u %ld\n", mixed[i], sums[i]);
    return 0;
}
