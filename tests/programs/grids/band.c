/* A band of a matrix, in tiles whose sides are 1 to 2: the last tile of a row of tiles is half the row's number.
 *
 * Usage: band [n]
 */
#include <stdio.h>
#include <stdlib.h>

static void fill(int n, double to[n][2 * n], double from[2 * n])
{
#pragma scop
    for (int i = 0; i < n; i += 2)
        for (int j = 0; j < n; j++)
            for (int k = j > 0 ? j - 1 : 0; k < j + 1; k++)
                to[j][i + k] = from[2 * k] + j;
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 17;
    double (*to)[2 * n] = calloc(n + 1, sizeof *to);
    double *from = calloc(2 * n + 1, sizeof *from);
    for (int i = 0; i < 2 * n; i++)
        from[i] = i * 0.75;
    fill(n, to, from);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < 2 * n; i++)
            printf("%g\n", to[j][i]);
    free(to);
    free(from);
    return 0;
}
