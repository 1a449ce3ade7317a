// As `steps.c`, with calls through another file, which keeps a pointer, and through functions that call each other.
#include <stdio.h>
#include <stdlib.h>

#include "kernels.h"
#include "between.h"

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100, steps = argc > 2 ? atoi(argv[2]) : 10;
    double *u = malloc(n * sizeof(double)), *v = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++)
        u[i] = v[i] = i % 7;
    keep(u);
    for (int t = 1; t <= steps; t++) {
        there_and_back(n, u, v);
        down(n, u, 3);
        if (t % 4 == 0) {
            change_kept(t);
            printf("%.17g\n", total(n, u));
        }
        swap(&u, &v);
    }
    printf("%.17g %.17g\n", first(u), total(n, v));
    return 0;
}

void down(int n, double *x, int depth)
{
    if (depth > 0)
        up(n, x, depth - 1);
    x[depth] += 0.5;
}
