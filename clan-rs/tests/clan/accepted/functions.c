/* Functions of this file. */
#include <math.h>

static const double STEP = -0.5;
enum { LIMIT = 9 };

static inline float half(float x) { return x / 2; }

static double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

double smooth(double x, int n)
{
    int k;
    double sum = 0;
    for (k = 0; k < n; k++) {
        double term = clamp(x, 0, k);
        if (term > 2)
            return term;
        else if (n > LIMIT)
            n--;
        sum += sqrt(term);
    }
    while (sum > 1)
        sum = half(sum);
    return sum + STEP;
}

static const double THIRD = 1.0 / 3, TWO = 2.5 - .5f;

static double third(double x) { return x * THIRD + TWO; }

static int sign(int x)
{
    if (x < 0)
        return -1;
    else
        return x > 0;
}

int unused(int x) { return x; }

void functions(int n, double *restrict a, double *restrict half_)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = smooth(a[i], i) + half(i);
        a[i] += third(a[i]) * sign(i - 3) + erf(a[i]);
        half_[i] = a[i] > 0 ? clamp(half_[i], -1, 1) : 0;
    }
#pragma endscop
}
