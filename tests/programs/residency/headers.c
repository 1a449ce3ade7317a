// Regions that run in the header of a loop, and while a function returns; an array that one region names as a member.
#include <stdio.h>
#include <stdlib.h>

struct grid {
    double *u;
};

static int halve(int n, double *u)
{
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * u[i] + 1;
#pragma endscop
    return 0;
}

// The region in the header runs after all that stands before the loop.
static double sum(int n, double *u)
{
    double all = 0;
    for (int i = halve(n, u); i < n; i++)
        all += u[i];
    return all;
}

// The region that runs last uses an array that ends with the function.
static int own(int n)
{
    double t[100];
    for (int i = 0; i < n; i++)
        t[i] = i;
    halve(n, t);
    if (t[3] > 0)
        return halve(n, t);
    halve(n, t);
    return (int)t[5];
}

static double other(int n)
{
    double q[100];
    for (int i = 0; i < n; i++)
        q[i] = 2 * i;
    double all = 0;
    for (int i = 0; i < n; i++)
        all += q[i];
    return all;
}

// The loop reads one element, the region in it all others.
static double members(int n, struct grid *g, double *u)
{
    double all = 0;
    for (int t = 0; t < 3; t++) {
        all += u[0];
#pragma scop
        for (int i = 0; i < n; i++)
            g->u[i] = 0.25 * g->u[i] + 1;
#pragma endscop
    }
    return all;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 90;
    struct grid g;
    g.u = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++)
        g.u[i] = i;
    double all = 0;
    for (int t = 0; t < 3; t++) {
        all += sum(n, g.u) + own(n);
        all += other(n);
    }
    all += members(n, &g, g.u);
    printf("%g %g\n", all, g.u[3]);
    free(g.u);
    return 0;
}
