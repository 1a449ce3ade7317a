/* How often each of 256 numbers occurs.
 *
 * Usage: histogram [n]      (by default 1000000)
 */
#include "../bench.h"

#define BINS 256

static void histogram(int n, const int *restrict bin, int count[BINS])
{
#pragma scop
    for (int b = 0; b < BINS; b++)
        count[b] = 0;
    for (int i = 0; i < n; i++)
        count[bin[i]] += 1;
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 1000000);
    float *drawn = drawn_floats(n, 1);
    int *bin = (int *)allocate(n * sizeof *bin);
    for (int i = 0; i < n; i++)
        bin[i] = (int)(drawn[i] * drawn[i] * BINS);

    int count[BINS];
    start_clock();
    histogram(n, bin, count);
    stop_clock();
    double counts[BINS];
    for (int b = 0; b < BINS; b++)
        counts[b] = count[b];
    print_doubles("counts", BINS, counts);

    free(drawn);
    free(bin);
    return 0;
}
