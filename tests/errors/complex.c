#include <complex.h>

void rotate(int n, double complex *z, long double complex *w, double *x)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        w[i] = w[i] * z[i];
        z[i] = cexp(z[i]);
        z[i] = z[i] * 2i;
        __real__ z[i] = x[i];
        x[i] = __imag__ x[i];
    }
#pragma endscop
}
