/* Jacobi iteration on a square: each point becomes the mean of itself and its four neighbours, in
 * each time step once from A to B and once back. The boundary stays.
 *
 * Usage: jacobi2d [n [steps]]      (by default 250 10)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void jacobi2d(int n, int steps, double (*restrict A)[n], double (*restrict B)[n])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i - 1][j] + A[i + 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i - 1][j] + B[i + 1][j]);
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

static void fill(int n, double (*A)[n], double (*B)[n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = B[i][j] = (i * (j + 2) + 2) % 37 / 37.0;
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 250);
    int steps = size(argc, argv, 2, 10);
    size_t points = (size_t)n * n;
    void *A = allocate(points, sizeof(double));
    void *B = allocate(points, sizeof(double));

    fill(n, A, B);
    jacobi2d(n, steps, A, B);
    print_array("A", points, A);
    print_array("B", points, B);

    free(A);
    free(B);
    return 0;
}
