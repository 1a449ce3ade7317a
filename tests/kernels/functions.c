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

/* Numbers that are none, and functions that CUDA has with other types. */
static void numbers(int n, double x[n], float f[n], int kind[n], long rounded[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int of_x = isnan(x[i]) + 2 * isfinite(x[i]) + 4 * !!signbit(x[i]) + 8 * isnormal(x[i]) + 16 * (isinf(x[i]) + 1);
        int of_f = isnan(f[i]) + 2 * isfinite(f[i]) + 4 * !!signbit(f[i]) + 8 * isnormal(f[i]) + 16 * (isinf(f[i]) + 1);
        kind[i] = of_x + 64 * of_f;
        rounded[i] = 0;
        if (fabs(x[i]) < 1e9)
            rounded[i] = lround(x[i]) + 5 * lrint(x[i]) + 25 * llround(x[i] * 0.5) + 125 * llrint(x[i] * 0.5);
        if (fabsf(f[i]) < 1e6f)
            rounded[i] += 7 * lroundf(f[i]) + 35 * lrintf(f[i]) + 49 * llroundf(f[i]) + 245 * llrintf(f[i]);
    }
#pragma endscop
}

/* The bits of constants for which C has no literals. */
static void constants(int n, double x[n], float f[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = i % 6 == 0 ? NAN : i % 6 == 1 ? -NAN : i % 6 == 2 ? INFINITY : i % 6 == 3 ? -HUGE_VAL : x[i];
        f[i] = i % 5 == 0 ? NAN : i % 5 == 1 ? -INFINITY : i % 5 == 2 ? (float)-NAN : copysignf(HUGE_VALF, f[i]);
    }
#pragma endscop
}

/* What compilers know of bits, of integers of three types and below; zeros are counted of no 0. */
static void bits(int n, const unsigned long x[n], int counts[n], long expected[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned low = (unsigned)x[i] | 1u << i % 32;
        unsigned long all = x[i] | 1ul << (63 - i % 64);
        counts[i] = __builtin_popcount(x[i]) + 100 * __builtin_popcountl(x[i]) + 10000 * __builtin_popcountll(~x[i]);
        counts[i] += 3 * __builtin_clz(low) + 5 * __builtin_clzl(all) + 7 * __builtin_clzll(all | 8);
        counts[i] += 11 * __builtin_ctz(low) + 13 * __builtin_ctzl(all) + 17 * __builtin_ctzll(all & -all);
        expected[i] = __builtin_expect(x[i] & 1, 0) ? counts[i] : __builtin_expect(counts[i], 7L) + 1;
    }
#pragma endscop
}

/* Powers of two, down to the smallest numbers and beyond the largest. */
static void scaled(int n, double x[n], float f[n], const int exponent[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = ldexp(x[i], exponent[i]);
        f[i] = ldexpf(f[i], exponent[i] / 8);
    }
#pragma endscop
}

/* Constant tables, arrays of functions' own, and arrays that they hand to each other. */
static const double WEIGHT[4] = {0.5, -1.5, 2.0 / 3.0, 1};
static const signed char ORDER[2][3] = {{2, 0, 1}, {STEPS / 7}};
static const unsigned long MASKS[] = {1ul << 63, ~0u, STEPS % 5 << 2, 'a', -1};

static double element(const double v[3], int k)
{
    return v[k % 3] - v[0];
}

static double second_row(const double m[2][3], long k)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += m[1][i] * (k + i);
    return sum;
}

static double interpolated(double x, int i)
{
    static const double quarter = 0.25;
    static const float SHARE[] = {0.1f, 0.2f, 0.7f};
    double part[3], m[2][3] = {{x, 2}, {3, 4, (float)x}}, z[5] = {0};
    int k = 0;
    while (k < 3) {
        int seen[2];
        seen[k % 2] = k + 3;
        part[k] = x * SHARE[k];
        part[k] += WEIGHT[(k + i) % 4];
        z[seen[k % 2] - 3]++;
        k++;
    }
    z[*ORDER[1]] -= part[1];
    m[i % 2][2] *= 1.5;
    double s = second_row(m, i) + element(part, i) + element(m[i % 2], i + 1) + *(z + 1) + z[4];
    return part[ORDER[i % 2][i % 3]] + s * quarter + MASKS[i % 5];
}

static void tables(int n, double x[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = interpolated(x[i], i);
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

    const double some[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, -NAN, 0x1p-1070, -0x1p-140, 0x1.8p1, -2.5, 1e300, 123456.5};
    int *kind = bytes(n, sizeof *kind);
    long *rounded = bytes(n, sizeof *rounded);
    for (int i = 0; i < n; i++) {
        a[i] = some[i % 12] + (i > 12 ? 0.5 * i : 0);
        b[i] = (float)some[(i + i / 12) % 12];
    }
    numbers(n, a, b, kind, rounded);
    SHOW(kind, n);
    SHOW(rounded, n);
    constants(n, a, b);
    SHOW(a, n);
    SHOW(b, n);

    unsigned long *words = bytes(n, sizeof *words);
    long *expected = bytes(n, sizeof *expected);
    for (int i = 0; i < n; i++) {
        words[i] = i % 7 == 0 ? 0 : i % 7 == 1 ? ~0ul : (i + 1) * 0x9e3779b97f4a7c15ul >> i % 50;
        a[i] = (i + 1) * 1.2345678901234567;
        b[i] = (i + 1) * 1.2345679f;
        square[i] = 137 * (i % 17 - 8) - i % 3;
    }
    bits(n, words, kind, expected);
    SHOW(kind, n);
    SHOW(expected, n);
    scaled(n, a, b, square);
    SHOW(a, n);
    SHOW(b, n);
    for (int i = 0; i < n; i++)
        a[i] = 0.25 * i - 1;
    tables(n, a);
    SHOW(a, n);
    return 0;
}
