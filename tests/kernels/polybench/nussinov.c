/* The largest number of base pairs in a fold of an RNA sequence, by Nussinov's recursion
 *
 * Usage: nussinov [n]
 */
#define DATA_TYPE_IS_INT
#include "suite.h"

#define _PB_N n

typedef char base;

#define match(b1, b2) (((b1) + (b2)) == 3 ? 1 : 0)
#define max_score(s1, s2) ((s1 >= s2) ? s1 : s2)

static void init_array(int n, base seq[n], DATA_TYPE table[n][n])
{
    for (int i = 0; i < n; i++) {
        seq[i] = (base)(noise('s', i, 0) % 4);
        for (int j = 0; j < n; j++)
            table[i][j] = 0;
    }
}

static void print_array(int n, DATA_TYPE table[n][n])
{
    print_2d("table", n, n, table);
}

static void kernel_nussinov(int n, base seq[n], DATA_TYPE table[n][n])
{
    int i, j, k;

#pragma scop
    for (i = _PB_N - 1; i >= 0; i--) {
        for (j = i + 1; j < _PB_N; j++) {
            if (j - 1 >= 0)
                table[i][j] = max_score(table[i][j], table[i][j - 1]);
            if (i + 1 < _PB_N)
                table[i][j] = max_score(table[i][j], table[i + 1][j]);

            if (j - 1 >= 0 && i + 1 < _PB_N) {
                /* Neighbours do not pair. */
                if (i < j - 1)
                    table[i][j] = max_score(table[i][j], table[i + 1][j - 1] + match(seq[i], seq[j]));
                else
                    table[i][j] = max_score(table[i][j], table[i + 1][j - 1]);
            }

            for (k = i + 1; k < j; k++)
                table[i][j] = max_score(table[i][j], table[i][k] + table[k + 1][j]);
        }
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 60);
    void *seq = allocate((size_t)n, sizeof(base));
    void *table = array_2d(n, n);

    init_array(n, seq, table);
    kernel_nussinov(n, seq, table);
    print_array(n, table);

    free(seq);
    free(table);
    return 0;
}
