/* Factorises A = L*U in place, without pivoting: afterwards U stands on and above the diagonal, and
 * L below it (the ones on its diagonal are left out).
 *
 * Usage: lu [n]      (by default 150)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void lu(int n, double A[n][n])
{
    int i, j, k;

#pragma scop
    for (k = 0; k < n; k++) {
        for (i = k + 1; i < n; i++) {
            A[i][k] /= A[k][k];
            for (j = k + 1; j < n; j++)
                A[i][j] -= A[i][k] * A[k][j];
        }
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

/* The diagonal outweighs the rest of its row: no pivot is near zero. */
static void fill(int n, double A[n][n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            A[i][j] = (i + 3 * j) % 61 / 61.0 - 0.5;
        A[i][i] += n;
    }
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 150);
    size_t count = (size_t)n * n;
    void *A = allocate(count, sizeof(double));

    fill(n, A);
    lu(n, A);
    print_array("A", count, A);

    free(A);
    return 0;
}
