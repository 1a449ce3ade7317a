// Temporaries that are stored in an element whose other elements their updates read. In the first functions they can
// be in the place of that element, in the others not.
#include <stdio.h>
#include <stdlib.h>

// A decomposition as in textbooks, by rows.
static void lower_and_upper(int n, double A[n][n])
{
    double w;
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            w = A[i][j];
            for (int k = 0; k < j; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w / A[j][j];
        }
        for (int j = i; j < n; j++) {
            w = A[i][j];
            for (int k = 0; k < i; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w;
        }
    }
#pragma endscop
}

// The temporary begins with an element of another array.
static void solution(int n, double A[n][n], const double *restrict b, double *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double w = b[i];
        for (int j = 0; j < i; j++)
            w -= A[i][j] * y[j];
        y[i] = w;
    }
#pragma endscop
}

// Elements are stored in another place than they come from, and twice.
static void moved(int n, int x[n + 1])
{
    int w;
#pragma scop
    for (int i = 0; i < n; i++) {
        w = x[i];
        for (int j = 0; j < i; j++)
            w += 3 * x[j];
        x[i + 1] = w;
    }
#pragma endscop
}

// The updates read the old element as well.
static void with_old_element(int n, int x[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int w = x[i] + 1;
        for (int j = 0; j <= i; j++)
            w += 3 * x[j];
        x[i] = w;
    }
#pragma endscop
}

// The element is not stored in each iteration.
static void sometimes(int n, int x[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int w = x[i];
        for (int j = 0; j < i; j++)
            w += 3 * x[j];
        if (i % 3 > 0)
            x[i] = w;
    }
#pragma endscop
}

// The old element is needed when the new one is stored.
static void added(int n, int x[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int w = 1;
        for (int j = 0; j < i; j++)
            w += 3 * x[j];
        x[i] = x[i] + w;
    }
#pragma endscop
}

// A second temporary is stored in the same element while the first one is in use.
static void twice(int n, int x[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int v = x[i];
        int w = v;
        for (int j = 0; j < i; j++) {
            w += 3 * x[j];
            v -= x[j] * x[j];
        }
        x[i] = w;
        x[i] = w + v;
    }
#pragma endscop
}

// The first update of each iteration needs what the iteration before has stored: this is one chain.
static void backwards(int n, int x[n])
{
#pragma scop
    for (int i = n - 1; i >= 0; i--) {
        int w = x[i];
        for (int j = i + 1; j < n; j++)
            w -= 3 * x[j] * x[j];
        x[i] = w;
    }
#pragma endscop
}

// The value after the loop is needed.
static int kept(int n, int x[n])
{
    int w = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        w = x[i];
        for (int j = 0; j < i; j++)
            w += 3 * x[j];
        x[i] = w;
    }
#pragma endscop
    return w;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 50;
    int size = n > 0 ? n : 1;
    double *A = malloc(sizeof *A * size * size), *b = malloc(sizeof *b * size), *y = calloc(size, sizeof *y);
    int *x = malloc(sizeof *x * (size + 1));
    for (int i = 0; i < size; i++) {
        b[i] = 0.5 * i - 3;
        for (int j = 0; j < size; j++)
            A[i * size + j] = i == j ? size : (i * 7 + j * 3) % 11 / 8.0;
    }
    for (int i = 0; i < size + 1; i++)
        x[i] = i % 7 - 3;
    if (n > 0) {
        lower_and_upper(n, (double (*)[n])A);
        solution(n, (double (*)[n])A, b, y);
        moved(n, x);
        with_old_element(n, x);
        sometimes(n, x);
        added(n, x);
        twice(n, x);
        backwards(n, x);
        x[0] += kept(n, x);
    }
    unsigned check = 0;
    for (int i = 0; i < size + 1; i++)
        check = check * 31 + (unsigned)x[i];
    double sum = 0;
    for (int i = 0; i < size; i++) {
        sum += y[i] * (i + 1);
        for (int j = 0; j < size; j++)
            sum += A[i * size + j] * (i - 2 * j);
    }
    printf("%u %a\n", check, sum);
    free(A);
    free(b);
    free(y);
    free(x);
    return 0;
}
