/* Host code that may or may not overwrite or free what is on the device, and subscripts and pointers of unusual types. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct box {
    double d[12];
};

static struct box one;
static double *_Atomic shared;
static struct box *_Atomic boxed;

static void next(int n, const double *restrict u, double *restrict v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        v[i] = 0.5 * u[i] + 1.0;
#pragma endscop
}

static void scale(int n, double *u)
{
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] *= 1.25;
#pragma endscop
}

static void show(const char *name, int n, const double *u)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s = 0.75 * s + u[i];
    printf("%s %a\n", name, s);
}

/* The guard of the inner loop cuts the range of the outer one short. */
static void gaps(int n, int h, double *u, double *v, const double *x)
{
    next(n, u, v), next(n, v, u);
    for (int i = 0; i < n; i++)
        for (int k = i; k < h; k++)
            u[i] = x[k];
    next(n, u, v);
    show("one guard", n, v);
    next(n, v, u);
    for (int i = 0; i < n; i++)
        for (int j = i; j < h; j++)
            for (int k = 0; k < 2; k++)
                u[i] = x[j + k];
    next(n, u, v);
    show("a guard in the middle", n, v);
    next(n, v, u);
    for (int i = 0; i < n; i++)
        for (int j = h; j < i; j++)
            for (int k = i; k < h; k++)
                memset(u, 0, n * sizeof(double));
    next(n, u, v);
    show("two guards", n, v);
}

/* A call of `free` that is not executed. */
static int freed(int n, int which)
{
    double *u = calloc(n, sizeof *u), *v = calloc(n, sizeof *v);
    next(n, u, v), next(n, v, u);
    which ? free(u) : free(v);
    if (!which)
        show("the other is freed", n, u);
    return !which && (free(u), 1);
}

int main(int argc, char **argv)
{
    int n = 12;
    double *u = calloc(n, sizeof *u), *v = calloc(n, sizeof *v), x[16];
    for (int i = 0; i < 16; i++)
        x[i] = i;
    gaps(n, 5, u, v, x);
    freed(n, argc > 9);
    for (__int128 i = 0; i < n; i++)
        u[i] = 5;
    next(n, u, v), next(n, v, u);
    unsigned __int128 k = 3;
    u[k] = 2;
    printf("%a\n", u[k + 1]);
    next(n, u, v);
    show("128 bits", n, v);
    shared = u;
    next(n, v, u);
    shared[3] = 3;
    *shared = 4;
    next(n, u, v);
    show("an atomic pointer", n, v);
    boxed = &one;
    scale(n, one.d), scale(n, one.d);
    boxed->d[3] = 1;
    scale(n, one.d);
    show("to a structure", n, one.d);
    free(u);
    free(v);
    return 0;
}
