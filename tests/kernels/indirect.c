/* Elements that data chooses. */
#include "support.h"

#define BINS 16

static void histogram(int n, const int data[n], int total[BINS])
{
    int bins[BINS];
#pragma scop
    for (int i = 0; i < BINS; i++)
        bins[i] = 0;
    for (int i = 0; i < n; i++)
        bins[data[i] % BINS]++;
    for (int i = 0; i < BINS; i++)
        total[i] += bins[i];
#pragma endscop
}

static void gather(int n, const int index[n], const double x[n], double y[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = x[index[i]] - *(x + index[index[i]]);
#pragma endscop
}

static void scatter(int n, const int index[n], const double x[n], double y[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[index[i]] = x[i];
#pragma endscop
}

/* Rows or columns that data chooses, and the other index is known. */
static void partly(int n, const int index[n], double a[n][n], double (*pairs)[2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][index[j]] += 0.5 * j;
    for (int i = 0; i < n; i++) {
        int chosen = index[i];
        pairs[i][chosen & 1] = a[chosen][n - 1 - i];
        pairs[i][0] += a[i][(int)(pairs[i][1] * pairs[i][1]) % n];
    }
#pragma endscop
}

/* Subscripts that wrap around, or are no sums. */
static void neither(int n, double x[64])
{
#pragma scop
    for (unsigned i = 0; i < 32; i++)
        x[(i - 5) % 64] = x[i ^ 1] + n;
    for (int i = 0; i < 64; i++)
        x[i * i % 64] += 1.0;
#pragma endscop
}

/* A small table of each iteration's own. */
static void tables(int n, const int index[n], double y[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double table[3];
        for (int j = 0; j < 3; j++)
            table[j] = y[i] * j;
        y[i] = table[index[i] % 3];
    }
#pragma endscop
}

/* One element, from rows that data chooses, in steps that some blocks have and others do not. */
static void four_columns(int n, double a[n + 3][4], const int index[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j += 4)
            for (int k = 1; k <= 4; k++)
                a[0][1] = a[index[0] + 1][k - 1] * 1e-20;
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *x = doubles(n), *y = doubles(n), *square = doubles((size_t)n * n);
    double *pairs = doubles(2 * n), *few = doubles(64);
    int *index = allocate(n, sizeof *index), total[BINS] = {0};
    unsigned state = 7;
    for (int i = 0; i < n; i++)
        index[i] = (int)(draw(&state) % (unsigned)n);

    histogram(n, index, total);
    SHOW(total, BINS);
    gather(n, index, x, y);
    SHOW(y, n);
    scatter(n, index, x, y);
    SHOW(y, n);
    partly(n, index, (double (*)[n])square, (double (*)[2])pairs);
    SHOW(square, (size_t)n * n);
    SHOW(pairs, 2 * n);
    neither(n, few);
    SHOW(few, 64);
    tables(n, index, y);
    SHOW(y, n);
    double *narrow = doubles(4 * (size_t)(n + 3));
    four_columns(n, (double (*)[4])narrow, index);
    SHOW(narrow, 4 * (size_t)(n + 3));
    return 0;
}
