/* The first or last extreme of many values, and where it is.
 *
 * Usage: choices n m
 */
#include <math.h>

#include "../../kernels/support.h"

static void first(int n, const float x[n], float most[1], int at[1])
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (x[i] > most[0]) {
            most[0] = x[i];
            at[0] = i;
        }
#pragma endscop
}

/* The last one of equal values; positions in a wide type, from the end. */
static void last(long n, const double x[n], double least[1], long at[1])
{
#pragma scop
    for (long i = n - 1; i >= 0; i--)
        if (least[0] >= x[i]) {
            at[0] = 2 * i + 1;
            least[0] = x[i];
        }
#pragma endscop
}

/* Places in a matrix, of values that are computed, under another condition. */
static void places(int n, int m, int x[n][m], unsigned most[1], int row[1], int column[1])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (x[i][j] % 2 == 0 && (unsigned)x[i][j] * 3u >= most[0]) {
                most[0] = (unsigned)x[i][j] * 3u;
                row[0] = i;
                column[0] = j;
            }
#pragma endscop
}

/* Chosen by a conditional expression, which assigns the variable to itself where it stays. */
static void kept(int n, const double x[n], double most[1], float z[n], float least[1])
{
#pragma scop
    for (int i = 0; i < n; i++)
        most[0] = x[i] > most[0] ? x[i] : most[0];
    for (int i = 0; i < n; i++)
        least[0] = least[0] >= z[i] ? z[i] : least[0];
#pragma endscop
}

/* A NaN takes the place of the variable here: in order. */
static void replaced(int n, const double x[n], double most[1])
{
#pragma scop
    for (int i = 0; i < n; i++)
        most[0] = most[0] > x[i] ? most[0] : x[i];
#pragma endscop
}

/* Two loops for one variable: one of them has results, and the other keeps its order. */
static void of_two(int n, const double x[n], double *most)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (x[i] > *most)
            *most = x[i];
    for (int i = 0; i < n; i++)
        if (-x[i] > *most)
            *most = -x[i];
#pragma endscop
}

/* What belongs to the value is read from memory; temporaries; nothing but the value. */
static void labels(int n, const double x[n], const int label[n], double least[1], int which[1],
                   double most[1])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double distance = fabs(x[i] - 0.25);
        if (distance < least[0]) {
            least[0] = distance;
            which[0] = label[i];
        }
    }
    for (int i = 0; i < n; i++)
        if (x[i] > most[0])
            most[0] = x[i];
#pragma endscop
}

/* Both extremes in one loop, and other uses of the variables before and after it, in steps of an outer loop. */
static void both(int n, int steps, long long *restrict x, long long low[1], long long high[1],
                 int below[1], int above[1])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        low[0] = x[0];
        high[0] = x[0];
        below[0] = -1;
        above[0] = -1;
        for (int i = 0; i < n; i++) {
            if (x[i] < low[0]) {
                low[0] = x[i];
                below[0] = i;
            }
            if (x[i] >= high[0]) {
                high[0] = x[i];
                above[0] = i;
            }
        }
        x[t % 3] = low[0] + high[0] + below[0] - above[0];
    }
#pragma endscop
}

/* In order: another statement reads the extreme. */
static void records(int n, const double x[n], double most[1], int at[1], double *restrict so_far)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (x[i] > most[0]) {
            most[0] = x[i];
            at[0] = i;
        }
        so_far[i] = most[0];
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv), m = argc > 2 ? atoi(argv[2]) : 7, at[2], row = -3, column = -4, which = -5;
    float *x = floats(n), most = argc > 3 ? NAN : -INFINITY;
    double *y = doubles(n), least = 1e30, nearest = INFINITY, largest = -0.0;
    int(*k)[m] = bytes((size_t)n * m, sizeof(int)), *label = bytes(n, sizeof(int));
    long long *w = bytes(n + 3, sizeof *w), low, high;
    long place = -2;
    unsigned value = 0;
    unsigned state = 9;
    for (int i = 0; i < n; i++) {
        x[i] = draw(&state) % 5 == 0 ? NAN : draw(&state) % 16 == 0 ? -INFINITY : (float)(draw(&state) % 64) / 64 - 0.5f;
        y[i] = draw(&state) % 7 == 0 ? -0.0 : draw(&state) % 5 == 0 ? NAN : draw(&state) % 9 / 4.0;
        if (i % 3 == 0)
            w[i] = w[0];
        for (int j = 0; j < m; j++)
            k[i][j] = (unsigned)k[i][j] % 97;
    }
    at[0] = -1;
    first(n, x, &most, &at[0]);
    show("most", &most, 1, sizeof most);
    show("at", at, 1, sizeof *at);
    last(n, y, &least, &place);
    show("least", &least, 1, sizeof least);
    show("place", &place, 1, sizeof place);
    places(n, m, k, &value, &row, &column);
    show("value", &value, 1, sizeof value);
    show("row", &row, 1, sizeof row);
    show("column", &column, 1, sizeof column);
    labels(n, y, label, &nearest, &which, &largest);
    show("nearest", &nearest, 1, sizeof nearest);
    show("which", &which, 1, sizeof which);
    show("largest", &largest, 1, sizeof largest);
    double highest = -1e30;
    float lowest = argc > 3 ? NAN : 7;
    kept(n, y, &highest, x, &lowest);
    show("highest", &highest, 1, sizeof highest);
    show("lowest", &lowest, 1, sizeof lowest);
    replaced(n, y, &highest);
    show("replaced", &highest, 1, sizeof highest);
    double farthest = -1;
    of_two(n, y, &farthest);
    show("farthest", &farthest, 1, sizeof farthest);
    both(n, n < 4 ? n : 4, w, &low, &high, &at[0], &at[1]);
    show("low", &low, 1, sizeof low);
    show("high", &high, 1, sizeof high);
    show("both", at, 2, sizeof *at);
    show("w", w, n, sizeof *w);
    double *so_far = allocate(n, sizeof *so_far);
    largest = -1;
    records(n, y, &largest, at, so_far);
    show("records", so_far, n, sizeof *so_far);
    free(x);
    free(y);
    free(k);
    free(label);
    free(w);
    free(so_far);
    return 0;
}
