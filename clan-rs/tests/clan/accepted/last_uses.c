#include <stdlib.h>

/* What reads a value of the region later, and what keeps memory from being freed: each in one way alone. */
int branch(int n, int *restrict a)
{
    int i = 7;
#pragma scop
    if (n > 3)
        for (i = 0; i < n; i++)
            a[i] = 1;
#pragma endscop
    return i;
}

void first_value(int n, int m, int *restrict a, int *restrict b)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = 1;
    for (j = i; j < m; j++)
        b[j] = 2;
#pragma endscop
}

void bound(int n, int *restrict a, int *restrict b)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i += 2)
        a[i] = 1;
    for (j = 0; j < i; j++)
        b[j] = 2;
#pragma endscop
}

void next_round(int n, int *restrict a, int *restrict b)
{
    int i = 3;
#pragma scop
    for (int t = 0; t < n; t++) {
        a[t] = i;
        for (i = 0; i < t; i++)
            b[i] += 1;
    }
#pragma endscop
}

int passed_on(double *);

/* The address of a whole array goes elsewhere. */
int escaping(int n, double *restrict x)
{
    double own[9];
    int later = passed_on(own);
#pragma scop
    for (int i = 0; i < 9; i++)
        own[i] = x[i];
#pragma endscop
    return passed_on(x) + later;
}

/* What the region leaves it reads itself the next time. */
void again(int n, int *restrict a, int *restrict b)
{
    int i = 5, left[2] = {1, 2};
    for (int t = 0; t < n; t++) {
#pragma scop
        a[0] += i + left[0];
        for (i = 0; i < n; i++)
            b[i] += 1;
        left[0] = b[0];
#pragma endscop
    }
}

/* The same where a label makes the loop. */
void by_jumps(int n, int *restrict b)
{
    int i, left[2] = {1, 2};
again:
    n = n + left[0];
#pragma scop
    for (i = 0; i < 9; i++)
        b[i] += 1;
    left[0] = b[0];
#pragma endscop
    if (n < 100)
        goto again;
}

void keep(double);
void note(int);

/* Nobody gets the address of what is allocated, so nobody frees it. */
void allocated(int n, const double x[n], double y[n])
{
    double *own = malloc(n * sizeof *own);
    note(own == NULL);
    own[0] = 0;
    keep(own[0]);
#pragma scop
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            own[i] = y[i];
    for (int i = 0; i < n; i++)
        if (x[i] > 1)
            y[i] = own[i];
#pragma endscop
}

/* The loop around goes on from where the region stopped. */
int around(int n, int *restrict b)
{
    int i, rounds = 0;
    for (i = 0; i < n; i++) {
#pragma scop
        for (i = 3; i < n; i += 4)
            b[i] += 1;
#pragma endscop
        rounds++;
    }
    return rounds;
}
