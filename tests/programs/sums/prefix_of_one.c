// Sums that are read after each iteration, and kept in one element: one is updated once only.
#include <stdio.h>
#include <stdlib.h>

// C's remainder is negative in the first iteration alone.
static void once(int n, int *sum, double last[1])
{
#pragma scop
    for (int i = 0; i <= n - 1; i++) {
        if ((i - 1) % 2 < 0)
            *sum += 1;
        last[0] = *sum * 1e-7;
    }
#pragma endscop
}

// The rows of x say that m is not negative.
static void with_rows(int n, int m, const double *restrict x, double corner[1], long *sum, double last[1])
{
#pragma scop
    for (int i = 0; i < m; i++)
        corner[0] = x[i * (m + 1) + i];
    for (int i = 0; i < n; i++) {
        *sum += 1;
        last[0] = *sum * 1e-7;
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100, m = argc > 2 ? atoi(argv[2]) : 2;
    int few = 5;
    long many = -3;
    double *x = malloc(sizeof *x * (m + 1) * (m + 1)), corner[1] = { 0 }, last[2] = { 0, 0 };
    for (int i = 0; i < (m + 1) * (m + 1); i++)
        x[i] = 0.25 * i;
    once(n, &few, last);
    with_rows(n, m, x, corner, &many, last + 1);
    printf("%d %ld %a %a %a\n", few, many, corner[0], last[0], last[1]);
    free(x);
    return 0;
}
