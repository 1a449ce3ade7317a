#include <stdlib.h>
void f(int n, double *a)
{
    double *t;
#pragma scop
    t = malloc(n * sizeof *t);
    for (int i = 0; i < n; i++)
        t[i] = a[i];
    free(t);
#pragma endscop
}
