/* Calls of functions of the program's own. */
#include <math.h>

#include "functions.h"
#include "support.h"

static const double SHIFT = -0.25;
enum { STEPS = 12 };

static int escape(double re, double im)
{
    double x = 0.0, y = 0.0;
    for (int k = 0; k < STEPS; k++) {
        const double next = x * x - y * y + re;
        y = 2.0 * x * y + im;
        x = next;
        if (x * x + y * y > 4.0)
            return k;
    }
    return STEPS;
}

float half(float x)
{
    return x / 2;
}

static double series(double x, int n)
{
    int k;
    double sum = 0.0, power = 1.0;
    for (k = 0; k < n; k++, n -= k > 3) {
        sum += power / (k + 1);
        power *= x;
    }
    if (sum > 1.5)
        sum = half(sum) + between(sum, -1.0, 1.0);
    else if (sum < 0.0)
        return SHIFT * sqrt(-sum);
    return sum;
}

static void pointwise(int n, double a[n], float b[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = series(a[i], i % 7) + half(b[i]);
        b[i] = a[i] > 0.5 ? half(a[i]) : between(b[i], 0.0, 0.125);
    }
#pragma endscop
}

static void plane(int n, int c[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i][j] = escape(0.1 * i - 2.0, 0.1 * j - 1.0) + common_divisor(i, j);
#pragma endscop
}

/* Names that CUDA or C++ has for something else; nvcc would call its own functions. */
static double rsqrt(double x)
{
    return x - 1.0;
}

static float saturate(float x)
{
    return 2 * x;
}

static double std(double rsqrtf)
{
    return rsqrt(rsqrtf) + saturate(rsqrtf);
}

/* The array has the name that the function would have by itself. */
static void namesakes(int n, double functions_std[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        functions_std[i] = std(functions_std[i]);
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *a = doubles(n);
    float *b = floats(n);
    int *square = bytes((size_t)n * n, sizeof *square);

    pointwise(n, a, b);
    SHOW(a, n);
    SHOW(b, n);
    plane(n, (int (*)[n])square);
    SHOW(square, (size_t)n * n);
    namesakes(n, a);
    SHOW(a, n);
    return 0;
}
