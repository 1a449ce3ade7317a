/* The covariance of m variables, of each of which there are n samples
 *
 * Usage: covariance [n [m]], n > 1
 */
#include "suite.h"

#define _PB_N n
#define _PB_M m

static void init_array(int m, int n, DATA_TYPE *float_n, DATA_TYPE data[n][m])
{
    *float_n = (DATA_TYPE)n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            data[i][j] = fraction('d', i, j) + j % 5;
}

static void print_array(int m, DATA_TYPE cov[m][m])
{
    print_2d("cov", m, m, cov);
}

static void kernel_covariance(int m, int n, DATA_TYPE float_n, DATA_TYPE data[n][m], DATA_TYPE cov[m][m],
                              DATA_TYPE mean[m])
{
    int i, j, k;

#pragma scop
    for (j = 0; j < _PB_M; j++) {
        mean[j] = SCALAR_VAL(0.0);
        for (i = 0; i < _PB_N; i++)
            mean[j] += data[i][j];
        mean[j] /= float_n;
    }

    for (i = 0; i < _PB_N; i++)
        for (j = 0; j < _PB_M; j++)
            data[i][j] -= mean[j];

    for (i = 0; i < _PB_M; i++)
        for (j = i; j < _PB_M; j++) {
            cov[i][j] = SCALAR_VAL(0.0);
            for (k = 0; k < _PB_N; k++)
                cov[i][j] += data[k][i] * data[k][j];
            cov[i][j] /= (float_n - SCALAR_VAL(1.0));
            cov[j][i] = cov[i][j];
        }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 100);
    int m = size(argc, argv, 2, 80);
    DATA_TYPE float_n;
    void *data = array_2d(n, m);
    void *cov = array_2d(m, m);
    void *mean = array_1d(m);

    init_array(m, n, &float_n, data);
    kernel_covariance(m, n, float_n, data, cov, mean);
    print_array(m, cov);

    free(data);
    free(cov);
    free(mean);
    return 0;
}
