/* Loops that nobody marked: `--autoscop` finds those that can be translated. */
#include "../kernels/support.h"

#define FOR(i, n) for (int i = 0; i < n; i++)

static void fill(int n, double *a) { FOR(i, n) a[i] = i * 0.5; }

static double norm(int n, const double *a)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sum;
}

static void step(int n, double *restrict a, double *restrict b)
{
    for (int i = 1; i < n - 1; i++)
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    for (int i = 1; i < n - 1; i++)
        a[i] = b[i];
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *a = doubles(n), *b = doubles(n);
    fill(n, b);
    for (int t = 0; t < 4; t++) {
        step(n, a, b);
        if (norm(n, a) > 1)
            for (int i = 0; i < n; i++)
                a[i] *= 0.5;
        else
            FOR(i, n) a[i] += b[i];
        SHOW(a, n);
    }
    int k = 0;
    while (k < 3) {
        for (int i = 0; i < n; i++)
            b[i] += a[i] * k;
        k++;
    }
    SHOW(b, n);
    for (int i = 0; i < n && i < 3; i++)
        printf("%.17g\n", b[i]);
    return 0;
}
