/* The scalar product of two vectors.
 *
 * Usage: dot [n]      (by default 1000000)
 */
#include "../bench.h"

static double dot(int n, const double *restrict a, const double *restrict b)
{
    double sum = 0.0;

#pragma scop
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
#pragma endscop

    return sum;
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 1000000);
    double *a = drawn_doubles(n, 1);
    double *b = drawn_doubles(n, 2);

    start_clock();
    double sum = dot(n, a, b);
    stop_clock();
    print_doubles("sum", 1, &sum);

    free(a);
    free(b);
    return 0;
}
