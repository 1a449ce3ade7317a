/* Arrays that a kernel writes and of which several threads use an element: shared memory that is copied back. */
#include "support.h"

/* The corners are used by nobody. */
static void cross(int n, int m, int steps, float a[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j]) / 5;
#pragma endscop
}

/* Whether an element is written is up to the data. */
static void sometimes(int n, int steps, int a[n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            if (a[i] % 3 != 0)
                a[i] = (a[i - 1] + a[i + 1]) / 2 + 1;
#pragma endscop
}

/* Only the borders have values before: nothing else goes to the device. */
static void longest(int n, int m, const char *restrict x, const char *restrict y, int length[n + 1][m + 1])
{
#pragma scop
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int best = length[i - 1][j] > length[i][j - 1] ? length[i - 1][j] : length[i][j - 1];
            length[i][j] = x[i - 1] == y[j - 1] ? length[i - 1][j - 1] + 1 : best;
        }
#pragma endscop
}

/* The array is the region's own: an element has no value before one is written. */
static void own(int n, int steps, double *restrict x)
{
#pragma scop
    double a[n];
    for (int i = 0; i < n; i++)
        a[i] = x[i];
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    for (int i = 0; i < n; i++)
        x[i] = a[i];
#pragma endscop
}

/* Each row of a triangle from those around. */
static void triangle(int n, int steps, double a[n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < i; j++)
                a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
#pragma endscop
}

/* Two arrays, each of which needs the other's new values. */
static void pair(int n, int steps, double *restrict e, double *restrict h)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            e[i] = e[i] - 0.5 * (h[i] - h[i - 1]);
        for (int i = 0; i < n - 1; i++)
            h[i] = h[i] - 0.5 * (e[i + 1] - e[i]);
    }
#pragma endscop
}

/* Two statements write the array, each some elements that the other does not and that are used after the tile. */
static void written_twice(int n, int steps, double *restrict a)
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 2; i++) {
            a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
            a[i + 1] = a[i + 1] * 0.5 + a[i - 1];
        }
#pragma endscop
}

/* The region's own array, of which data decide what is written: the rest must not be taken from memory without values. */
static void own_sometimes(int n, int steps, const double *restrict x, double *restrict y)
{
#pragma scop
    double a[n];
    for (int i = 0; i < n; i++)
        a[i] = x[i];
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            if (x[i] > 0.125)
                a[i] = (a[i - 1] + a[i + 1]) / 2;
    for (int i = 0; i < n; i++)
        y[i] = a[i];
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv), steps = n < 20 ? n : 20;
    size_t points = (size_t)n * (n + 3);
    float *plane = allocate(points, sizeof *plane);
    for (size_t i = 0; i < points; i++)
        plane[i] = (float)(i * 37 % 101) / 8;
    cross(n, n + 3, steps, (float (*)[n + 3])plane);
    SHOW(plane, points);
    double *square = doubles((size_t)n * n);
    int *numbers = allocate(3 * (size_t)n, sizeof *numbers);
    for (int i = 0; i < 3 * n; i++)
        numbers[i] = i * 7919 % 1009;
    sometimes(3 * n, steps, numbers);
    SHOW(numbers, 3 * (size_t)n);
    char *x = allocate(n, 1), *y = allocate(n, 1);
    for (int i = 0; i < n; i++) {
        x[i] = (char)(i * i % 4);
        y[i] = (char)(i * 3 % 5);
    }
    int *length = allocate((size_t)(n + 1) * (n + 1), sizeof *length);
    longest(n, n, x, y, (int (*)[n + 1])length);
    SHOW(length, (size_t)(n + 1) * (n + 1));
    double *e = doubles(3 * (size_t)n), *h = doubles(3 * (size_t)n);
    own(3 * n, steps, e);
    SHOW(e, 3 * (size_t)n);
    triangle(n, steps, (double (*)[n])square);
    SHOW(square, (size_t)n * n);
    pair(3 * n, steps, e, h);
    SHOW(e, 3 * (size_t)n);
    SHOW(h, 3 * (size_t)n);
    written_twice(3 * n, steps, e);
    SHOW(e, 3 * (size_t)n);
    own_sometimes(3 * n, steps, h, e);
    SHOW(e, 3 * (size_t)n);
    return 0;
}
