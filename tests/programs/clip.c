/* An array that is written under a condition on data, and no other: nothing else needs a type for addresses. */
#include <stdio.h>

static void clip(int n, double p[n], double most)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (p[i] > most)
            p[i] = most;
#pragma endscop
}

int main(void)
{
    double p[9] = { 1, 5, 2, 8, -3, 4.5, 7, 0, 4 };
    clip(9, p, 4);
    for (int i = 0; i < 9; i++)
        printf("%g\n", p[i]);
    return 0;
}
