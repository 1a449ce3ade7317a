// A time loop whose calls read members of a structure: only their types say that these are not in an array.
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int n, steps;
    double *u, *v;
};

static double step(int n, double weight, const double *u, double *v) {
#pragma scop
    for (int i = 1; i < n - 1; i++)
        v[i] = u[i] + weight * (u[i - 1] - 2 * u[i] + u[i + 1]);
#pragma endscop
    return n;
}

// Other files may call it with any structure.
double advance(struct grid *g, double *u, double *v) {
    double points = 0;
    for (int t = 0; t < g->steps; t++) {
        points += step(g->n, 0.25, u, v);
        double *w = u;
        u = v;
        v = w;
    }
    g->u = u;
    return points;
}

int main(int argc, char **argv) {
    struct grid g = {argc > 1 ? atoi(argv[1]) : 100, argc > 2 ? atoi(argv[2]) : 10, NULL, NULL};
    double *u = malloc(sizeof(double) * g.n), *v = malloc(sizeof(double) * g.n);
    if (!u || !v)
        return 1;
    for (int i = 0; i < g.n; i++)
        u[i] = v[i] = i * i % 7;
    double points = advance(&g, u, v);
    double sum = 0;
    for (int i = 0; i < g.n; i++)
        sum += g.u[i];
    printf("%g %g\n", points, sum);
    free(u);
    free(v);
    return 0;
}
