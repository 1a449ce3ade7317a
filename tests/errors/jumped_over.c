#include <stdlib.h>

static double few[4];

void mark_small(int small, int n, const int *restrict c)
{
    double *p = few;
    if (small)
        goto ready;
    p = calloc(n, sizeof *p);
ready:;
#pragma scop
    for (int i = 0; i < n; i++)
        if (c[i])
            p[i] = -1;
#pragma endscop
}

void mark_mode(int mode, int n, double *p, const int *restrict c)
{
    switch (mode) {
    case 1:
        p = calloc(n, sizeof *p);
    default:;
#pragma scop
        for (int i = 0; i < n; i++)
            if (c[i])
                p[i] = -1;
#pragma endscop
    }
}

/* Neither jumps over the allocation. */
void mark(int mode, int n, const int *restrict c, double **made)
{
    double *p = calloc(n, sizeof *p);
    switch (mode) {
    case 1:
        c++;
    }
    if (p == NULL)
        goto end;
#pragma scop
    for (int i = 0; i < n; i++)
        if (c[i])
            p[i] = -1;
#pragma endscop
end:
    *made = p;
}
