/* Electromagnetic waves in a plane (finite differences in the time domain): the electric field has
 * the components ex and ey on the edges of nx x ny cells, the magnetic field hz stands in their
 * middles. A source drives the lower edge.
 *
 * Usage: fdtd2d [nx [ny [steps]]]      (by default 150 200 10)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef double real;

#define E_STEP 0.5
#define H_STEP 0.7

static void fdtd2d(int nx, int ny, int steps, const real *source, real ex[nx][ny + 1], real ey[nx + 1][ny],
                   real hz[nx][ny])
{
    int t, i, j;

#pragma scop
    for (t = 0; t < steps; t++) {
        for (j = 0; j < ny; j++)
            ey[0][j] = source[t];
        for (i = 1; i < nx; i++)
            for (j = 0; j < ny; j++)
                ey[i][j] -= E_STEP * (hz[i][j] - hz[i - 1][j]);
        for (i = 0; i < nx; i++)
            for (j = 1; j < ny; j++)
                ex[i][j] -= E_STEP * (hz[i][j] - hz[i][j - 1]);
        for (i = 0; i < nx; i++)
            for (j = 0; j < ny; j++)
                hz[i][j] -= H_STEP * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
#pragma endscop
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
static void print_array(const char *name, size_t count, const real *values)
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

static void fill(int nx, int ny, int steps, real *source, real ex[nx][ny + 1], real ey[nx + 1][ny], real hz[nx][ny])
{
    for (int t = 0; t < steps; t++)
        source[t] = t % 8 / 8.0 - 0.5;
    for (int i = 0; i < nx; i++)
        for (int j = 0; j <= ny; j++)
            ex[i][j] = (i + 2 * j) % 43 / 43.0;
    for (int i = 0; i <= nx; i++)
        for (int j = 0; j < ny; j++)
            ey[i][j] = (2 * i + j) % 47 / 47.0;
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++)
            hz[i][j] = (i + j) % 53 / 53.0;
}

int main(int argc, char **argv)
{
    int nx = size(argc, argv, 1, 150);
    int ny = size(argc, argv, 2, 200);
    int steps = size(argc, argv, 3, 10);
    size_t ex_count = (size_t)nx * (ny + 1);
    size_t ey_count = (size_t)(nx + 1) * ny;
    size_t hz_count = (size_t)nx * ny;
    real *source = allocate(steps, sizeof(real));
    void *ex = allocate(ex_count, sizeof(real));
    void *ey = allocate(ey_count, sizeof(real));
    void *hz = allocate(hz_count, sizeof(real));

    fill(nx, ny, steps, source, ex, ey, hz);
    fdtd2d(nx, ny, steps, source, ex, ey, hz);
    print_array("ex", ex_count, ex);
    print_array("ey", ey_count, ey);
    print_array("hz", hz_count, hz);

    free(source);
    free(ex);
    free(ey);
    free(hz);
    return 0;
}
