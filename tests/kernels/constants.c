/* Arrays that kernels only read, in constant memory where all threads want one element at a time: small ones as arguments, others as variables. */
#include "support.h"

/* Weights of two dimensions, which all threads read in the same order. */
static void blur(int n, double (*restrict out)[n + 2], double (*restrict in)[n + 2], const double w[restrict 3][3])
{
#pragma scop
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    sum += w[k][l] * in[i + k - 1][j + l - 1];
            out[i][j] = sum;
        }
#pragma endscop
}

/* Coefficients of another type, of which the first two are not used. */
static void evaluate(int n, double *restrict y, const double *restrict x, const float *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = c[6];
        for (int k = 2; k < 6; k++)
            y[i] = y[i] * x[i] + c[7 - k];
    }
#pragma endscop
}

/* Threads read different elements: no argument. */
static void look_up(int n, double *restrict y, const int *restrict table)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] += table[i % 16];
#pragma endscop
}

/* Only the last of the three kernels reads the weights, and where n is 0 there may be none. */
static void chain(int n, double *restrict a, double *restrict b, const double *restrict w)
{
#pragma scop
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] * 0.5 + b[i];
    for (int i = 0; i < n; i++)
        b[i] = a[i] * w[0] + w[1];
#pragma endscop
}

/* How much is used of the weights is no number but a quotient. */
static void thin(int n, double *restrict y, const double *restrict w)
{
#pragma scop
    for (int i = 2; i < n + 1; i += 4)
        y[0] = w[i + 1];
    for (int i = 1; i < n; i++)
        y[i] = w[2 * i / 3];
#pragma endscop
}

/* Too large for arguments. The first rows of the one table are not used. */
static void weigh(int n, double *restrict y, const double t[restrict 40][30], const float *restrict s)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 10; k < 40; k++)
            for (int l = 0; l < 30; l++)
                y[i] += t[k][l] * s[50 * k + l];
#pragma endscop
}

/* Nearly all of constant memory, behind another region that uses some of it; what is left is too little for the other table. */
static void fill(int n, double *restrict y, const double *restrict t, const int *restrict u)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8000; k++)
            y[i] = y[i] * 0.5 + t[k] + u[k / 16];
#pragma endscop
}

/* One element too many. */
static void overflow(int n, double *restrict y, const double *restrict t)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 8193; k++)
            y[i] = y[i] * 0.5 + t[k];
#pragma endscop
}

/* All threads want one element at a time in the second kernel, and in the first each its own. */
static void own_and_common(int n, double *restrict a, double *restrict b, const double w[restrict 9])
{
#pragma scop
    for (int i = 0; i < 9; i++)
        a[i] = w[i];
    for (int i = 4; i < n + 4; i++)
        for (int k = 0; k < 9; k++)
            b[i] += a[i + k - 4] * w[k];
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *out = doubles((size_t)(n + 2) * (n + 2)), *in = doubles((size_t)(n + 2) * (n + 2));
    double *w = doubles(9), *y = doubles(n), *x = doubles(n);
    float c[7];
    int table[16];
    for (int i = 0; i < 7; i++)
        c[i] = w[i] / 2;
    for (int i = 0; i < 16; i++)
        table[i] = i * i % 7;

    blur(n, (void *)out, (void *)in, (void *)w);
    SHOW(out, (size_t)(n + 2) * (n + 2));
    evaluate(n, y, x, c);
    SHOW(y, n);
    look_up(n, y, table);
    SHOW(y, n);
    chain(n, x, y, n > 0 ? w : NULL);
    double *z = doubles(n + 2);
    thin(n, z, in);
    SHOW(z, n);
    SHOW(x, n);
    SHOW(y, n);
    double *t = doubles(8193);
    float *s = floats(2000);
    int u[500];
    for (int i = 0; i < 500; i++)
        u[i] = i % 5;
    weigh(n, y, (void *)t, s);
    SHOW(y, n);
    fill(n, y, t, u);
    SHOW(y, n);
    overflow(n, y, t);
    SHOW(y, n);
    double *longer = doubles(n + 9), *sums = doubles(n + 4);
    own_and_common(n, longer, sums, w);
    SHOW(longer, n + 9);
    SHOW(sums, n + 4);
    return 0;
}
