// The time loop of `kernels.c`, without a region of its own: arguments are the length and the number of steps.
#include <stdio.h>
#include <stdlib.h>

#include "kernels.h"

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100, steps = argc > 2 ? atoi(argv[2]) : 10;
    double *u = malloc(n * sizeof(double)), *v = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++)
        u[i] = v[i] = i % 7;
    for (int t = 1; t <= steps; t++) {
        smooth(n, u, v);
        double change = correct(n, v, u);
        if (t % 10 == 0)
            printf("%d %.17g %.17g\n", t, change, first(u));
    }
    printf("%.17g %.17g\n", u[n / 2], total(n, u));
    free(u);
    free(v);
    return 0;
}
