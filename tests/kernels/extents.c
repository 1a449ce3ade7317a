/* Lengths that are conditional or extreme: sizes below one, and arrays that have one element then. */
#include "support.h"

#define MAX(a, b) ((a) > (b) ? (a) : (b))

struct pair {
    double x, y;
};

static void conditional(int n, double a[n > 0 ? n : 1][n > 0 ? n : 1], double b[MAX(n, 1)])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] += b[j] - i;
#pragma endscop
}

/* What is used of three dimensions is numbered, and lengths that only declarations have do not matter. */
static void diagonal(int n, int m, double a[MAX(n, 1)][n > 0 ? n : 1][m > 2 ? m : 2], double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j] += a[i][i][j];
#pragma endscop
}

static void structures(int n, int m, struct pair p[n + 1][2 * m + 1])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            p[i + 1][2 * j + 1].x += p[i][j].y;
#pragma endscop
}

static void local(int n, double *restrict out)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double t[n > 0 ? n : 1];
        for (int j = 0; j < n; j++)
            t[j] = i * j;
        for (int j = 0; j < n; j++)
            out[j] += t[n - 1 - j];
    }
#pragma endscop
}

/* The length of a row stands in a type. */
static void typed(int n, int m, double *restrict out)
{
    typedef double row[m > 0 ? m : 1];
    row t[n > 0 ? n : 1];
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            t[i][j] = i * 10 + j;
#pragma endscop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[i] += t[i][j];
}

int main(int argc, char **argv)
{
    int size = size_of_run(argc, argv);
    const int sizes[] = { size, 1, 0, -size };
    double *sums = doubles((size_t)size + 1);
    for (int k = 0; k < 4; k++)
        for (int l = 0; l < 4; l++) {
            int n = sizes[k], m = sizes[l] % 7;
            size_t rows = MAX(n, 1), columns = MAX(m, 2);
            double *a = doubles(rows * rows * columns), *b = doubles(rows + columns);
            struct pair *p = allocate((rows + 1) * (2 * columns + 1), sizeof *p);
            for (size_t i = 0; i < (rows + 1) * (2 * columns + 1); i++)
                p[i].y = 0.25 * i;
            conditional(n, (double (*)[n > 0 ? n : 1])a, b);
            diagonal(n, m, (double (*)[n > 0 ? n : 1][m > 2 ? m : 2])a, b);
            if (n >= 0 && m >= 0)
                structures(n, m, (struct pair (*)[2 * m + 1])p);
            local(n, sums);
            typed(n, m, sums);
            show("a", a, rows * rows * columns, sizeof *a);
            show("b", b, rows + columns, sizeof *b);
            show("p", p, (rows + 1) * (2 * columns + 1), sizeof *p);
            free(a);
            free(b);
            free(p);
        }
    show("sums", sums, (size_t)size + 1, sizeof *sums);
    free(sums);
    return 0;
}
