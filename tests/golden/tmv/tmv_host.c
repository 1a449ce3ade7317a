#include "tmv_gpu.h"
#line 1 "examples/tmv.c"
/* Transposed matrix times vector, x = a^T * y: the example of "Automatic C-to-CUDA Code Generation
 * for Affine Programs", Fig. 1.
 *
 * The size is the macro N (by default 600): -DN=1000
 */
#include <inttypes.h>
#include <stdio.h>

#ifndef N
#define N 600
#endif

typedef float DATA_TYPE;

static DATA_TYPE a[N][N];
static DATA_TYPE x[N];
static DATA_TYPE y[N];

static void tmv(void)
{
    int i, j;

    tmv_7cefd6_scop0(x, &a[0][0], y), (void)i, (void)j;
#line 30 "examples/tmv.c"
}

/* One line on which a difference in any bit of the array shows. */
static void print_array(const char *name, size_t count, const DATA_TYPE *values)
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

int main(void)
{
    for (int i = 0; i < N; i++) {
        y[i] = (7 * i + 1) % 19 / (DATA_TYPE)19;
        for (int j = 0; j < N; j++)
            a[i][j] = (i + 3 * j) % 23 / (DATA_TYPE)23 - 1;
    }

    tmv();
    print_array("x", N, x);
    return 0;
}
