// Host code that reads single elements under conditions, through members of a structure, and beside what it writes.
#include <stdio.h>
#include <stdlib.h>
struct fields { int n; double *u, *v; };
static void step(int n, const double *restrict u, double *restrict v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        v[i] = 0.5 * u[i] + i;
#pragma endscop
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100, steps = argc > 2 ? atoi(argv[2]) : 30;
    struct fields f = { n, malloc(n * sizeof(double)), malloc(n * sizeof(double)) };
    for (int i = 0; i < f.n; i++)
        f.u[i] = i;
    for (int t = 0; t < steps; t++) {
        step(f.n, f.u, f.v);
        double *x = f.u;
        f.u = f.v;
        f.v = x;
        if (t % 10 == 9 && f.u[3] > 1e6 && f.u[4] > 1)
            break;
        f.u[0] = f.u[1] * 0.5;
    }
    double most = 0;
    for (int i = 0; i < f.n; i++)
        if (f.u[i] > most)
            most = f.u[i];
    printf("%.17g\n", most);
    free(f.u);
    free(f.v);
    return 0;
}
