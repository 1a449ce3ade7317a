/* A = L U in place, without pivoting
 *
 * Usage: lu [n]
 */
#include "suite.h"

#define _PB_N n

/* Its diagonal is dominant, so that no pivot is small. */
static void init_array(int n, DATA_TYPE A[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = fraction('A', i, j) + (i == j ? n : 0);
}

static void print_array(int n, DATA_TYPE A[n][n])
{
    print_2d("A", n, n, A);
}

static void kernel_lu(int n, DATA_TYPE A[n][n])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < _PB_N; i++) {
        for (j = 0; j < i; j++) {
            for (k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[k][j];
            A[i][j] /= A[j][j];
        }
        for (j = i; j < _PB_N; j++) {
            for (k = 0; k < i; k++)
                A[i][j] -= A[i][k] * A[k][j];
        }
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 120);
    void *A = array_2d(n, n);

    init_array(n, A);
    kernel_lu(n, A);
    print_array(n, A);

    free(A);
    return 0;
}
