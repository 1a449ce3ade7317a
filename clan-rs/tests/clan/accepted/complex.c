/* Complex numbers: real operands stay real, and conversions are spelled out. */
#include <complex.h>

struct wave { double complex z; };

static double complex turned(double complex z, float by)
{
    return z * (1 + by * I);
}

void numbers(int n, double complex *restrict a, float complex *restrict b, double *restrict d, float *restrict f,
             struct wave *restrict w)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = a[i] * a[i];
        a[i] = d[i] * a[i] - i;
        a[i] = 2 / b[i];
        a[i] += b[i];
        a[i] *= 3;
        b[i] -= d[i];
        b[i]++;
        d[i] *= a[i];
        d[i] = a[i];
        a[i] = d[i];
        a[i] = (double complex)d[i] * a[i];
        a[i] = d[i] > 0 ? a[i] : i;
        d[i] = creal(a[i]) + __imag__ a[i] + cabs(a[i]) + crealf(b[i]);
        a[i] = ~conj(a[i]) + 0.5i + 2.5fi;
        d[i] = (a[i] == d[i]) + (a[i] != b[i]) + !a[i] + (a[i] && b[i]);
        f[i] = a[i];
        w[i].z = turned(-w[i].z, f[i]);
    }
#pragma endscop
}
