/* The sums of the first numbers of a sequence, for each number of them.
 *
 * Usage: prefix_sum [n]      (by default 1000000)
 */
#include "../bench.h"

static double prefix_sum(int n, const double *restrict a, double *restrict b)
{
    double sum = 0.0;

#pragma scop
    for (int i = 0; i < n; i++) {
        sum += a[i];
        b[i] = sum;
    }
#pragma endscop

    return sum;
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 1000000);
    double *a = drawn_doubles(n, 1);
    double *b = (double *)allocate(sizeof(double) * n);

    start_clock();
    double sum = prefix_sum(n, a, b);
    stop_clock();
    print_doubles("sum", 1, &sum);
    print_doubles("sums", n, b);

    free(a);
    free(b);
    return 0;
}
