#include <stdlib.h>

/* Who knows whether the memory is still there? */
void unknown(void);
double *kept;

static void release(double *p)
{
    free(p);
}

void by_others(int n, const int *chosen)
{
    double *a = malloc(n * sizeof *a);
    kept = a;
    unknown();
#pragma scop
    for (int i = 0; i < n; i++)
        if (chosen[i])
            a[i] = 1;
#pragma endscop
}

void by_function(int n, const int *chosen)
{
    double *b = malloc(n * sizeof *b);
    release(b);
#pragma scop
    for (int i = 0; i < n; i++)
        if (chosen[i])
            b[i] = 1;
#pragma endscop
}

/* Nobody else has got this one. */
void by_nobody(int n, const int *chosen)
{
    double *c = malloc(n * sizeof *c), *other = malloc(8);
    unknown();
    if (!c || c == other)
        abort();
    free(other);
#pragma scop
    for (int i = 0; i < n; i++)
        if (chosen[i])
            c[i] = 1;
#pragma endscop
    release(c);
}
