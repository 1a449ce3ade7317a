/* The length of the shortest path between any two nodes of a graph
 *
 * Usage: floyd_warshall [n]
 */
#define DATA_TYPE_IS_INT
#include "suite.h"

#define _PB_N n

/* Edges of length 1 to 23; two thirds of the pairs have none. */
static void init_array(int n, DATA_TYPE path[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            path[i][j] = noise('e', i, j) % 3 == 0 ? (DATA_TYPE)(noise('p', i, j) % 23) + 1 : 999;
}

static void print_array(int n, DATA_TYPE path[n][n])
{
    print_2d("path", n, n, path);
}

static void kernel_floyd_warshall(int n, DATA_TYPE path[n][n])
{
    int i, j, k;

#pragma scop
    for (k = 0; k < _PB_N; k++) {
        for (i = 0; i < _PB_N; i++)
            for (j = 0; j < _PB_N; j++)
                path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 100);
    void *path = array_2d(n, n);

    init_array(n, path);
    kernel_floyd_warshall(n, path);
    print_array(n, path);

    free(path);
    return 0;
}
