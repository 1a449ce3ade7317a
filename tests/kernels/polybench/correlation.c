/* The correlation of m variables, of each of which there are n samples
 *
 * Usage: correlation [n [m]], n > 0, m > 0
 */
#include "suite.h"

#define _PB_N n
#define _PB_M m

/* Every seventh variable is constant: its standard deviation is 0. */
static void init_array(int m, int n, DATA_TYPE *float_n, DATA_TYPE data[n][m])
{
    *float_n = (DATA_TYPE)n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            data[i][j] = (j % 7 == 6 ? SCALAR_VAL(0.5) : fraction('d', i, j)) + j % 5;
}

static void print_array(int m, DATA_TYPE corr[m][m])
{
    print_2d("corr", m, m, corr);
}

static void kernel_correlation(int m, int n, DATA_TYPE float_n, DATA_TYPE data[n][m], DATA_TYPE corr[m][m],
                               DATA_TYPE mean[m], DATA_TYPE stddev[m])
{
    int i, j, k;
    DATA_TYPE eps = SCALAR_VAL(0.1);

#pragma scop
    for (j = 0; j < _PB_M; j++) {
        mean[j] = SCALAR_VAL(0.0);
        for (i = 0; i < _PB_N; i++)
            mean[j] += data[i][j];
        mean[j] /= float_n;
    }

    for (j = 0; j < _PB_M; j++) {
        stddev[j] = SCALAR_VAL(0.0);
        for (i = 0; i < _PB_N; i++)
            stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        stddev[j] /= float_n;
        stddev[j] = SQRT_FUN(stddev[j]);
        stddev[j] = stddev[j] <= eps ? SCALAR_VAL(1.0) : stddev[j];
    }

    for (i = 0; i < _PB_N; i++)
        for (j = 0; j < _PB_M; j++) {
            data[i][j] -= mean[j];
            data[i][j] /= SQRT_FUN(float_n) * stddev[j];
        }

    for (i = 0; i < _PB_M - 1; i++) {
        corr[i][i] = SCALAR_VAL(1.0);
        for (j = i + 1; j < _PB_M; j++) {
            corr[i][j] = SCALAR_VAL(0.0);
            for (k = 0; k < _PB_N; k++)
                corr[i][j] += (data[k][i] * data[k][j]);
            corr[j][i] = corr[i][j];
        }
    }
    corr[_PB_M - 1][_PB_M - 1] = SCALAR_VAL(1.0);
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 100);
    int m = size(argc, argv, 2, 80);
    DATA_TYPE float_n;
    void *data = array_2d(n, m);
    void *corr = array_2d(m, m);
    void *mean = array_1d(m);
    void *stddev = array_1d(m);

    init_array(m, n, &float_n, data);
    kernel_correlation(m, n, float_n, data, corr, mean, stddev);
    print_array(m, corr);

    free(data);
    free(corr);
    free(mean);
    free(stddev);
    return 0;
}
