/* Sums into elements that data choose.
 *
 * Usage: histogram n
 */
#include "../../kernels/support.h"

#define BINS 37

static void counts(int n, const int *restrict bin, int count[BINS])
{
#pragma scop
    for (int i = 0; i < n; i++)
        count[bin[i]] += 1;
#pragma endscop
}

/* A computed subscript, a condition on data, and sums of 64 bits that wrap around. */
static void weights(int n, const unsigned key[n], const unsigned long weight[n], int bins,
                    unsigned long sum[bins])
{
#pragma scop
    for (int b = 0; b < bins; b++)
        sum[b] = 5;
    for (int i = 0; i < n; i++)
        if (weight[i] % 3 != 0)
            sum[key[i] % bins] += weight[i] << 7;
    for (int b = 0; b < bins; b++)
        sum[b] ^= 1;
#pragma endscop
}

/* Sums of 64 bits of which every thread of a warp has one. */
static void totals(int n, const int *restrict bin, const unsigned long *restrict weight, long total[BINS])
{
#pragma scop
    for (int i = 0; i < n; i++)
        total[bin[i]] += weight[i];
#pragma endscop
}

/* Pairs of values, and two histograms in one loop. */
static void pairs(int n, int m, unsigned char x[n][m], int joint[16][16], long long first[16])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            joint[x[i][j] >> 4][x[i][j] & 15]++;
            first[x[i][j] >> 4] -= x[i][j];
        }
#pragma endscop
}

/* Bits, and several updates in an instance. */
static void seen(int n, const int start[n + 1], const int bin[n], unsigned mask[BINS])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++)
            mask[bin[k]] |= 1u << (i % 32);
#pragma endscop
}

/* Another access looks at the elements: in order. */
static void ranks(int n, const int *restrict bin, int count[BINS], int *restrict rank)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        rank[i] = count[bin[i]];
        count[bin[i]] += 1;
    }
#pragma endscop
}

/* Which element is updated depends on other elements. */
static void chain(int n, int count[BINS])
{
#pragma scop
    for (int i = 0; i < n; i++)
        count[(unsigned)count[i % 5] % BINS] += 3;
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv), m = 3;
    int *bin = bytes(n, sizeof *bin), *start = allocate(n + 1, sizeof *start);
    unsigned *key = bytes(n, sizeof *key);
    unsigned long *weight = bytes(n, sizeof *weight), sum[BINS];
    unsigned char(*x)[m] = bytes((size_t)n * m, 1);
    int count[BINS] = {1, 2, 3}, joint[16][16] = {{4}}, *rank = allocate(n, sizeof *rank);
    long long first[16] = {7};
    long total[BINS] = {-1};
    unsigned mask[BINS] = {0};
    for (int i = 0; i < n; i++) {
        bin[i] = (unsigned)bin[i] % BINS;
        start[i + 1] = start[i] + (i % 4 == 3 ? 4 : 0);
    }
    counts(n, bin, count);
    show("counts", count, BINS, sizeof *count);
    weights(n, key, weight, BINS, sum);
    show("weights", sum, BINS, sizeof *sum);
    totals(n, bin, weight, total);
    show("totals", total, BINS, sizeof *total);
    pairs(n, m, x, joint, first);
    show("pairs", joint, 256, sizeof **joint);
    show("first", first, 16, sizeof *first);
    seen(n, start, bin, mask);
    show("seen", mask, BINS, sizeof *mask);
    ranks(n, bin, count, rank);
    show("ranks", rank, n, sizeof *rank);
    chain(n, count);
    show("chain", count, BINS, sizeof *count);
    free(bin);
    free(start);
    free(key);
    free(weight);
    free(x);
    free(rank);
    return 0;
}
