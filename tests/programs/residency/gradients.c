/* Conjugate gradients: vectors in three functions with regions. The scalar products are sums in order, on the host. */
#include <stdio.h>
#include <stdlib.h>

static void multiply(int n, const double *restrict p, double *restrict q)
{
#pragma scop
    q[0] = 2.5 * p[0] - p[1];
    for (int i = 1; i < n - 1; i++)
        q[i] = 2.5 * p[i] - p[i - 1] - p[i + 1];
    q[n - 1] = 2.5 * p[n - 1] - p[n - 2];
#pragma endscop
}

static void step(int n, double a, double *restrict x, const double *restrict p)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] += a * p[i];
#pragma endscop
}

static void turn(int n, double b, double *restrict p, const double *restrict r)
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[i] = r[i] + b * p[i];
#pragma endscop
}

static double product(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    int steps = argc > 2 ? atoi(argv[2]) : 5;
    double *x = calloc(n, sizeof *x), *r = calloc(n, sizeof *r);
    double *p = calloc(n, sizeof *p), *q = calloc(n, sizeof *q);
    for (int i = 0; i < n; i++)
        p[i] = r[i] = i % 5 - 1;
    double rr = product(n, r, r);
    for (int k = 0; k < steps; k++) {
        multiply(n, p, q);
        double a = rr / product(n, p, q);
        step(n, a, x, p);
        step(n, -a, r, q);
        double next = product(n, r, r);
        turn(n, next / rr, p, r);
        rr = next;
    }
    printf("%a %a\n", rr, x[n / 2]);
    free(x), free(r), free(p), free(q);
    return 0;
}
