/* Gauss-Seidel iteration on a square: each point becomes the mean of itself and its eight
 * neighbours, in place, so that four of them are new already.
 *
 * The sizes are macros: -DN=300 -DSTEPS=5      (by default 150 and 10)
 */
#include <inttypes.h>
#include <stdio.h>

#ifndef N
#define N 150
#endif
#ifndef STEPS
#define STEPS 10
#endif
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif

static DATA_TYPE grid[N][N];

#define A2(i, j) grid[i][j]

static void seidel2d(void)
{
#pragma scop
    for (int t = 0; t <= STEPS - 1; t++)
        for (int i = 1; i <= N - 2; i++)
            for (int j = 1; j <= N - 2; j++)
                A2(i, j) = (A2(i - 1, j - 1) + A2(i - 1, j) + A2(i - 1, j + 1)
                            + A2(i, j - 1) + A2(i, j) + A2(i, j + 1)
                            + A2(i + 1, j - 1) + A2(i + 1, j) + A2(i + 1, j + 1)) / 9.0;
#pragma endscop
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
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A2(i, j) = (i * (j + 2) + 2) % 59 / 59.0;

    seidel2d();
    print_array("grid", (size_t)N * N, (const DATA_TYPE *)grid);
    return 0;
}
