#include <stdlib.h>

void unknown(void);

void called(int n, const int *c, double *sum)
{
    *sum = 0;
    unknown();
#pragma scop
    for (int i = 0; i < n; i++)
        if (c[i] > 0)
            *sum += i;
#pragma endscop
}

void skipped(int n, const int *c, double *sum, int kind)
{
    switch (kind) {
        *sum = 0;
    case 1: {
#pragma scop
        for (int i = 0; i < n; i++)
            if (c[i] > 0)
                *sum += i;
#pragma endscop
    }
    }
}

void moved(int n, const int *c, double *sum)
{
    *sum = 0;
    sum = sum + n;
#pragma scop
    for (int i = 0; i < n; i++)
        if (c[i] > 0)
            *sum += i;
#pragma endscop
}

void set_again(int n, const int *c)
{
    double *p = NULL;
    for (int t = 0; t < 3; t++) {
        if ((p = malloc(n * sizeof *p)) == NULL)
            return;
#pragma scop
        for (int i = 0; i < n; i++)
            if (c[i] > 0)
                p[i] = i;
#pragma endscop
        p = NULL;
    }
}
