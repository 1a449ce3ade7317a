#include "stencil_gpu.h"
#line 1 "examples/stencil.c"
/* Each point becomes the mean of its upper and its left neighbour, which were computed just before:
 * the example of "Automatic CUDA code generation with PoCC", Fig. 1. Only the points of one
 * anti-diagonal are independent of each other.
 *
 * Usage: stencil [n]      (by default 500)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void stencil(int n, double A[n + 1][n + 1])
{
    if (!stencil_a288e2_scop0(n, &A[0][0])) {
#line 13 "examples/stencil.c"
#pragma scop
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1]) * 0.5;
#pragma endscop
    }
#line 18 "examples/stencil.c"
}

/* The size given as argument number `which`, or else the default. */
static int size(int argc, char **argv, int which, int otherwise)
{
    int value = which < argc ? atoi(argv[which]) : otherwise;
    return value > 0 ? value : 0;
}

static void *allocate(size_t count, size_t element)
{
    void *memory = calloc(count > 0 ? count : 1, element);
    if (memory == NULL) {
        perror("allocate");
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* One line on which a difference in any bit of the array shows. */
static void print_array(const char *name, size_t count, const double *values)
{
    const unsigned char *bytes = (const unsigned char *)values;
    uint64_t checksum = 14695981039346656037u;
    for (size_t b = 0; b < count * sizeof *values; b++)
        checksum = (checksum ^ bytes[b]) * 1099511628211u;
    printf("%s: %zu values, checksum %016" PRIx64, name, count, checksum);
    if (count > 0)
        printf(", first %a, middle %a, last %a", values[0], values[count / 2], values[count - 1]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 500);
    size_t points = (size_t)(n + 1) * (n + 1);
    double (*A)[n + 1] = allocate(points, sizeof(double));

    for (int i = 0; i <= n; i++) {
        A[i][0] = (5 * i + 1) % 29 / 29.0;
        A[0][i] = (3 * i + 1) % 31 / 31.0;
    }

    stencil(n, A);
    print_array("A", points, (const double *)A);

    free(A);
    return 0;
}
