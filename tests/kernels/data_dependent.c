/* Conditions and loop bounds that depend on data. */
#include "support.h"

static void thresholds(int n, const double x[n], double y[n], int above[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (x[i] > 0.5) {
            y[i] += x[i];
            above[i] = 1;
        } else if (x[i] < 0.0 && i > 2) {
            double square = x[i] * x[i];
            y[i] = square - y[i];
        } else {
            above[i] = -above[i];
        }
    }
#pragma endscop
}

/* The branches have loops, and change what the conditions read. */
static void around_loops(int n, const int kind[n], double y[n], double a[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (kind[i] & 1) {
            double sum = y[i];
            for (int j = 0; j <= i; j++)
                if (j != 7)
                    sum += a[i][j];
            y[i] = sum;
            if (sum > 1.0)
                for (int j = 0; j < n; j++)
                    a[i][j] *= 0.5;
            else
                for (int j = i; j < n; j++)
                    a[i][j] += 1.0;
        } else {
            if (!(kind[i] & 2))
                for (int j = 0; j < n; j++) {
                    a[i][j] = y[i] - j;
                    if (a[i][j] < -5.0)
                        y[i] = -1.0;
                }
            else
                y[i] = 3.0;
        }
    }
#pragma endscop
}

/* Rows of different lengths. */
static void ragged(int n, const int row[n + 1], const int column[2 * n], const double value[2 * n],
                   const double x[n], double y[n])
{
    int k;
#pragma scop
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (k = row[i]; k < row[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
#pragma endscop
}

static void until(int n, const double x[n], double y[n], int steps[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double z = x[i];
        int count = 0;
        while (z < 2.0 && count < 50) {
            z = z * z + x[i];
            count++;
        }
        steps[i] = count;
        do {
            y[i] = y[i] * 0.5 + 0.125;
            z -= 1.0;
        } while (z > 0.0);
    }
#pragma endscop
}

/* Steps that are no constants, several counters, and a bound that the region computes. */
static void strides(int n, int stride, double a[n][n], double y[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j += stride)
            a[i][j] += 1.0;
        for (int j = 1, d = i; j < n && d > 0; j *= 2, d--)
            y[i] += a[i][j] * d;
    }
    for (int i = 0; i < n; i++) {
        int last = i / 2;
        if (y[i] > 0.0)
            last = n - i;
        for (int j = 0; j < last; j++)
            y[i] -= 0.25;
    }
#pragma endscop
}

/* One number in the order of the elements: how many were found. */
static int compact(int n, const double x[n], double found[n])
{
    int count = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (x[i] > 0.25) {
            found[count] = x[i];
            count++;
        }
#pragma endscop
    return count;
}

/* What the first loops leave as it is of the elements that the last one writes, nobody reads. */
static void replaced(int n, const int times[n], double a[n + 1])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = i > 2 ? i - 2 : 0; j <= i; j++) {
            int left = times[i] % 3;
            while (left > 0) {
                a[i + 1] = times[i] + j;
                left--;
            }
        }
    }
    for (int i = 1; i <= 3; i += 4)
        a[i] = a[0] - i;
#pragma endscop
}

/* One variable, from before the region to the last trip of the inner loop. */
static void spent(int n, int left, double x[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = i;
        if (i == 3)
            while (left > 0) {
                x[i] += left;
                left /= 2;
            }
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *x = doubles(n), *y = doubles(2 * n), *square = doubles((size_t)n * n), *value = doubles(3 * n);
    int *whole = allocate(n, sizeof *whole), *row = allocate(n + 1, sizeof *row);
    int *column = allocate(2 * n, sizeof *column);
    unsigned state = 5;
    for (int i = 0; i < n; i++) {
        whole[i] = (int)(draw(&state) % 8);
        row[i + 1] = row[i] + (int)(draw(&state) % 3);
    }
    for (int k = 0; k < 2 * n; k++)
        column[k] = (int)(draw(&state) % (unsigned)n);

    thresholds(n, x, y, whole);
    SHOW(y, n);
    SHOW(whole, n);
    around_loops(n, whole, y, (double (*)[n])square);
    SHOW(y, n);
    SHOW(square, (size_t)n * n);
    ragged(n, row, column, value, x, y);
    SHOW(y, n);
    until(n, x, y, whole);
    SHOW(y, n);
    SHOW(whole, n);
    strides(n, 3, (double (*)[n])square, y);
    SHOW(square, (size_t)n * n);
    SHOW(y, n);
    printf("%d\n", compact(n, x, y));
    SHOW(y, n);
    spent(n, 37, y);
    SHOW(y, n);
    for (int size = 0; size < 4; size++) {
        double *few = doubles(5);
        replaced(size, (const int[]){ 0, 4, 2 }, few);
        SHOW(few, 5);
        free(few);
    }
    return 0;
}
