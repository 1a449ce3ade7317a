/* Matrix product C = alpha*A*B + beta*C, of an n x k matrix and a k x m matrix.
 *
 * Usage: matmul [n [m [k]]]      (by default 200 180 160)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void matmul(int n, int m, int k, double alpha, double beta, double C[n][m], double A[n][k], double B[k][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            C[i][j] *= beta;
            for (int l = 0; l < k; l++)
                C[i][j] += alpha * A[i][l] * B[l][j];
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

static void fill(int n, int m, int k, double C[n][m], double A[n][k], double B[k][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            C[i][j] = (3 * i + j) % 11 / 11.0;
    for (int i = 0; i < n; i++)
        for (int l = 0; l < k; l++)
            A[i][l] = (i + 2 * l) % 13 / 13.0 - 0.5;
    for (int l = 0; l < k; l++)
        for (int j = 0; j < m; j++)
            B[l][j] = (5 * l + 3 * j) % 17 / 17.0 - 0.5;
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 200);
    int m = size(argc, argv, 2, 180);
    int k = size(argc, argv, 3, 160);
    void *C = allocate((size_t)n * m, sizeof(double));
    void *A = allocate((size_t)n * k, sizeof(double));
    void *B = allocate((size_t)k * m, sizeof(double));

    fill(n, m, k, C, A, B);
    matmul(n, m, k, 1.5, 1.2, C, A, B);
    print_array("C", (size_t)n * m, C);

    free(C);
    free(A);
    free(B);
    return 0;
}
