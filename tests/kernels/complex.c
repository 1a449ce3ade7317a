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
                   float complex (*restrict out)[4])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i][0] = a[i] * b[i];
        out[i][1] = a[i] / b[i];
        out[i][2] = (a[i] - b[i]) * (1.5f - 0.1fi) + conjf(b[i]);
        out[i][3] = crealf(a[i]) + cimagf(b[i]) * I;
    }
#pragma endscop
}

static void mixed(int n, double x, float y, const double complex *restrict a, const float complex *restrict b,
                  double complex (*restrict out)[12])
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
        out[i][10] = cexpected(a[i], b[i]);
        out[i][11] = (float complex)a[i] * y + (int)a[i];
    }
#pragma endscop
}

int main(void) { return 0; }
