/* Complex numbers: C's operators and conversions, the functions that are exact, and numbers at the ends of the range. */
#include "support.h"
#include <complex.h>
#include <float.h>
#include <math.h>

struct wave {
    double frequency;
    double complex amplitude;
    float complex phase[2];
};

static void operators(int n, const double complex *restrict a, const double complex *restrict b,
                      double complex (*restrict out)[8])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i][0] = a[i] + b[i];
        out[i][1] = a[i] - b[i];
        out[i][2] = a[i] * b[i];
        out[i][3] = a[i] / b[i];
        out[i][4] = -a[i] + ~b[i];
        out[i][5] = a[i] == b[i];
        out[i][6] = a[i] != b[i] && !(a[i] - a[i]);
        out[i][7] = a[i] ? +b[i] : 2.5;
    }
#pragma endscop
}

static void single(int n, const float complex *restrict a, const float complex *restrict b,
                   float complex (*restrict out)[5])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i][0] = a[i] * b[i];
        out[i][1] = a[i] / b[i];
        out[i][2] = (a[i] - b[i]) * (1.5f - 0.1fi) + conjf(b[i]);
        out[i][3] = crealf(a[i]) + cimagf(b[i]) * I;
        out[i][4] = 0.75f / a[i] - b[i] / 3;
    }
#pragma endscop
}

static void mixed(int n, double x, float y, const double complex *restrict a,
                  const float complex *restrict b, double complex (*restrict out)[12])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i][0] = x * a[i];
        out[i][1] = a[i] * x;
        out[i][2] = x / a[i];
        out[i][3] = a[i] / x;
        out[i][4] = x - a[i];
        out[i][5] = a[i] - x;
        out[i][6] = i * b[i] + y;
        out[i][7] = x * b[i] - a[i];
        out[i][8] = (double complex)x * a[i] + (x == a[i]) + (b[i] != i);
        out[i][9] = y * (a[i] + 2) / (b[i] + 3 * x);
        out[i][10] = (float complex)a[i] * y;
        out[i][11] = i % 3 ? a[i] : x;
    }
#pragma endscop
}

/* Beside a real number there is no imaginary part that an infinite one would multiply. */
static void real_beside(int n, const double *restrict x, const int *restrict k, const double complex *restrict a,
                        const float complex *restrict b, double complex (*restrict out)[8])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i][0] = x[i] * a[i];
        out[i][1] = a[i] * x[i] + x[n - 1 - i];
        out[i][2] = k[i] * a[i];
        out[i][3] = a[i] / k[i];
        out[i][4] = x[i] * b[i];
        out[i][5] = (k[i] + 0.5f) * b[i];
        out[i][6] = k[i] - b[i] * x[i];
        out[i][7] = a[i];
        out[i][7] *= k[i];
    }
#pragma endscop
}

/* The parts of numbers, and what <complex.h> makes of them. */
static void parts(int n, const double complex *restrict a, double complex *restrict out,
                  double (*restrict real)[6], float *restrict narrow, _Bool *restrict flag)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        real[i][0] = creal(a[i]);
        real[i][1] = __imag__ a[i];
        real[i][2] = cabs(a[i]);
        real[i][3] = carg(a[i]);
        real[i][4] = a[i] * a[i];
        real[i][5] *= a[i];
        out[i] = cproj(conj(a[i])) + 0.25i * __real__ a[i];
        narrow[i] = a[i] + 1;
        flag[i] = a[i];
    }
#pragma endscop
}

/* Assignments with operators, whose targets have other types than their values. */
static void updates(int n, double complex w, double complex *restrict a, float complex *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] += b[i];
        a[i] *= w;
        a[i] -= 0.5;
        a[i] /= 1.5 - I;
        b[i] *= a[i];
        b[i] /= 3;
        b[i] += i;
        b[i]++;
    }
#pragma endscop
}

static void matrix_product(int n, double complex alpha, double complex a[restrict n][n],
                           double complex b[restrict n][n], double complex c[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double complex sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = alpha * sum + 0.5 * c[i][j];
        }
#pragma endscop
}

/* One stage of n Fourier transforms. */
static void butterflies(int n, int half, const float complex *restrict twiddle,
                        float complex (*restrict x)[2 * half])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < half; k++) {
            float complex even = x[i][k], odd = twiddle[k] * x[i][k + half];
            x[i][k] = even + odd;
            x[i][k + half] = even - odd;
        }
#pragma endscop
}

static void sequence(int n, double complex corner, double step, int (*restrict count)[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double complex c = corner + step * (j + i * I);
            double complex z = 0;
            int k = 0;
            while (k < 100 && creal(z) * creal(z) + cimag(z) * cimag(z) < 4) {
                z = z * z + c;
                k++;
            }
            count[i][j] = k;
        }
#pragma endscop
}

static double complex rotated(double complex z, double by)
{
    const double complex turn = 1 + by * I;
    if (!z)
        return by;
    return z * turn / (creal(turn) * creal(turn) + by * by);
}

static void waves(int n, struct wave *restrict wave, double complex shift, double complex *restrict total)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        wave[i].amplitude = rotated(wave[i].amplitude, wave[i].frequency) + shift;
        wave[i].phase[1] = wave[i].phase[0] * wave[i].frequency;
        wave[i].frequency += cimag(wave[i].amplitude);
    }
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++)
        *total += wave[i].amplitude * wave[i].phase[1];
#pragma endscop
}

/* Some numbers have a part at an end of the range, or one that is not finite. */
static double complex *numbers(size_t count)
{
    const double ends[] = {INFINITY, -0.0, NAN, DBL_MAX, -DBL_MIN, 0x1p-1074, 0x1p980, -INFINITY, 0, 0x1p-60, 0x1p-1000};
    double *values = doubles(2 * count);
    for (size_t i = 0, k = 0; i < 2 * count; i += 9 - k % 4, k++)
        values[i] = ends[k % (sizeof ends / sizeof *ends)];
    return (double complex *)values;
}

static float complex *narrow_numbers(size_t count)
{
    const double *wide = (const double *)numbers(count);
    float *values = allocate(2 * count, sizeof *values);
    for (size_t i = 0; i < 2 * count; i++)
        values[i] = wide[i];
    return (float complex *)values;
}

/* C leaves open which NaN an operation gives. */
static void show_doubles(const char *name, double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = isnan(values[i]) ? NAN : values[i];
    show(name, values, count, sizeof *values);
}

static void show_floats(const char *name, float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = isnan(values[i]) ? NAN : values[i];
    show(name, values, count, sizeof *values);
}

#define SHOW_DOUBLES(values, count) show_doubles(#values, (double *)(values), (count) * sizeof *(values) / sizeof(double))
#define SHOW_FLOATS(values, count) show_floats(#values, (float *)(values), (count) * sizeof *(values) / sizeof(float))

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv), m = 4 * n;
    double complex *a = numbers(m), *b = numbers(m + 1), *c = numbers(m + 2);
    float complex *d = narrow_numbers(m), *e = narrow_numbers(m + 1);
    double complex(*eight)[8] = allocate(m, sizeof *eight);
    double complex(*twelve)[12] = allocate(m, sizeof *twelve);
    float complex(*five)[5] = allocate(m, sizeof *five);
    double(*six)[6] = (double(*)[6])doubles(6 * m);
    float *narrow = floats(m);
    _Bool *flag = allocate(m, sizeof *flag);

    operators(m, a, b, eight);
    SHOW_DOUBLES(eight, m);
    single(m, d, e, five);
    SHOW_FLOATS(five, m);
    mixed(m, 0.3, 1.25f, b, e, twelve);
    SHOW_DOUBLES(twelve, m);
    int *few = allocate(m, sizeof *few);
    for (int i = 0; i < m; i++)
        few[i] = i % 4 - 1;
    real_beside(m, (const double *)c, few, a, e, eight);
    SHOW_DOUBLES(eight, m);
    parts(m, a, c, six, narrow, flag);
    SHOW_DOUBLES(c, m);
    SHOW_DOUBLES(six, m);
    SHOW_FLOATS(narrow, m);
    SHOW(flag, m);
    updates(m, 0.8 + 0.5 * I, a, d);
    SHOW_DOUBLES(a, m);
    SHOW_FLOATS(d, m);

    double complex *left = (double complex *)doubles(2 * n * n), *right = (double complex *)doubles(2 * n * n + 2);
    double complex *product = numbers(n * n);
    matrix_product(n, 1.5 - 0.5 * I, (double complex(*)[n])left, (double complex(*)[n])right, (double complex(*)[n])product);
    SHOW_DOUBLES(product, n * n);

    float complex *twiddle = (float complex *)floats(2 * n), *signal = (float complex *)floats(4 * n * n);
    butterflies(n, n, twiddle, (float complex(*)[2 * n])signal);
    SHOW_FLOATS(signal, 2 * n * n);

    int *count = allocate(n * n, sizeof *count);
    sequence(n, -2 - 1.5 * I, 3.0 / n, (int(*)[n])count);
    SHOW(count, n * n);

    struct wave *wave = allocate(n, sizeof *wave);
    for (int i = 0; i < n; i++)
        wave[i] = (struct wave){0.125 * i, i % 5 ? left[i] : 0, {twiddle[i], 0}};
    double complex total = 0;
    waves(n, wave, 0.25 - 2 * I, &total);
    SHOW_DOUBLES(wave, n);
    SHOW_DOUBLES(&total, 1);
    return 0;
}
