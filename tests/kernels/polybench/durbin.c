/* Solves a Yule-Walker system, T y = -r with the Toeplitz matrix of 1, r[0], r[1], ..., by Durbin's recursion
 *
 * Usage: durbin [n], n > 0
 */
#include "suite.h"

#define _PB_N n

/* Small enough for T to be positive definite. */
static void init_array(int n, DATA_TYPE r[n])
{
    for (int i = 0; i < n; i++)
        r[i] = fraction('r', i, 0) / (n + 1);
}

static void print_array(int n, DATA_TYPE y[n])
{
    print_1d("y", n, y);
}

static void kernel_durbin(int n, DATA_TYPE r[n], DATA_TYPE y[n])
{
    DATA_TYPE z[n];
    DATA_TYPE alpha;
    DATA_TYPE beta;
    DATA_TYPE sum;
    int i, k;

#pragma scop
    y[0] = -r[0];
    beta = SCALAR_VAL(1.0);
    alpha = -r[0];

    for (k = 1; k < _PB_N; k++) {
        beta = (1 - alpha * alpha) * beta;
        sum = SCALAR_VAL(0.0);
        for (i = 0; i < k; i++)
            sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;

        for (i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
        for (i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 120);
    void *r = array_1d(n);
    void *y = array_1d(n);

    init_array(n, r);
    kernel_durbin(n, r, y);
    print_array(n, y);

    free(r);
    free(y);
    return 0;
}
