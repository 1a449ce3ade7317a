/* Covariance of m variables over n observations. Only one half of the symmetric result is computed;
 * each value is stored twice. The data is centred in place.
 *
 * Usage: covariance [n [m]]      (by default 200 120)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void covariance(int n, int m, double weight, double data[n][m], double *restrict mean, double cov[m][m])
{
#pragma scop
    for (int j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < n; i++)
            mean[j] += data[i][j];
        mean[j] *= weight;
    }

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            data[i][j] -= mean[j];

    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            cov[i][j] = 0.0;
            for (int k = 0; k < n; k++)
                cov[i][j] += data[k][i] * data[k][j];
            cov[i][j] *= weight;
            cov[j][i] = cov[i][j];
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

static void fill(int n, int m, double data[n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            data[i][j] = (i * (j + 1) + 3 * j) % 67 / 67.0;
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 200);
    int m = size(argc, argv, 2, 120);
    void *data = allocate((size_t)n * m, sizeof(double));
    double *mean = allocate(m, sizeof(double));
    void *cov = allocate((size_t)m * m, sizeof(double));

    fill(n, m, data);
    covariance(n, m, n > 0 ? 1.0 / n : 0.0, data, mean, cov);
    print_array("mean", m, mean);
    print_array("cov", (size_t)m * m, cov);

    free(data);
    free(mean);
    free(cov);
    return 0;
}
