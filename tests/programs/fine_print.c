/* What stands in a loop's head, a length, a sizeof or a stream changes what a region does. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double ring[256];
static int tail;

/* The place in the ring starts anew behind 255. */
static void decay(int head)
{
#pragma scop
    for (int i = head; i != tail; i = (uint8_t)(i + 1))
        ring[i] *= 0.5;
#pragma endscop
}

/* What is added is as wide as the sum, of which the iterator has the lower half. */
static int count(int n)
{
    int steps = 0;
#pragma scop
    for (int i = 0; i < n; i += 4294967298)
        steps += i;
#pragma endscop
    return steps;
}

/* The lower half of a word is the number of elements. */
static double chosen(long word, int n, const int *mask)
{
    double *a = calloc((int)word, sizeof *a), sum = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (mask[i])
            a[i] += 5;
#pragma endscop
    for (int i = 0; i < (int)word; i++)
        sum += a[i];
    free(a);
    return sum;
}

/* The size of a row is read behind the region. */
static size_t row(int n)
{
    int length = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        length += i;
#pragma endscop
    return sizeof(*(double (*)[length])ring);
}

/* The stream leads to an array that the region reads, so it does not stay on the device. */
static void notes(long *sums)
{
    char log[200] = "";
    FILE *stream = fmemopen(log, sizeof log, "w");
    for (int step = 0; step < 3; step++) {
        fprintf(stream, "step %d\n", step);
        fflush(stream);
#pragma scop
        sums[step] = 0;
        for (int i = 0; i < 200; i++)
            sums[step] += log[i];
#pragma endscop
    }
    fclose(stream);
}

int main(void)
{
    static int mask[200000] = { [1] = 1, [3] = 1 };
    long sums[3];
    for (int i = 0; i < 256; i++)
        ring[i] = i;
    tail = 10;
    decay(250);
    printf("%g %g %g %g\n", ring[3], ring[11], ring[200], ring[254]);
    printf("%d %g %zu\n", count(9), chosen((1L << 32) + 8, 200000, mask), row(30));
    notes(sums);
    printf("%ld %ld %ld\n", sums[0], sums[1], sums[2]);
    return 0;
}
