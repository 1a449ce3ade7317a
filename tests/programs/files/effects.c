// Functions of another file use elements of what members of a structure lead to.
#include <stdio.h>
#include <stdlib.h>
struct grid { int n; double *u, *v; };
#pragma c2cuda effects reads(g->u[0:1])
double first(struct grid *g);
#pragma c2cuda effects writes(g->u[k:1])
void put(struct grid *g, int k, double x);
#pragma c2cuda effects reads(g->u[0:g->n])
double total(const struct grid *g);
static void step(int n, double *u) {
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * u[i] + 1;
#pragma endscop
}
int main(void) {
    struct grid g = {100, calloc(100, 8), calloc(100, 8)};
    double sum = 0;
    for (int t = 0; t < 20; t++) {
        step(g.n, g.u);
        if (t % 5 == 0)
            sum += first(&g);
        if (t % 10 == 3)
            put(&g, 2, sum);
    }
    sum += total(&g);
    printf("%g\n", sum);
    free(g.u), free(g.v);
    return 0;
}
