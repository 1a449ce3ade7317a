/* The forms of loops: steps, directions, iterators of all types. */
#include <stddef.h>

void loops(int n, long m, unsigned u, size_t s, double *restrict a)
{
    int i;
    long l;
#pragma scop
    for (i = 0; i < n; i += 3)
        a[i] = 1;
    for (i = n - 1; i >= 0; i--)
        a[i] = 2;
    for (l = m; l > 4; l = l - 2)
        a[l] = 3;
    for (unsigned k = 0; k < u; ++k)
        a[k] = 4;
    for (size_t k = s; k > 0; k--)
        a[k - 1] = 5;
    for (short k = 10; k <= 100; k = 7 + k)
        a[k] = 6;
    for (int k = 0; k < n && k < 2 * n - 8; k++)
        a[k] = 7;
    for (int k = n > 4 ? n : 4; k < 10; k++)
        a[k] = 8;
    for (int k = 0; 3 * k < n; k++)
        a[k] = 9;
    for (int k = 0; k < 10; k++)
        for (int q = k; q <= k + n; q++)
            a[q] = 10;
#pragma endscop
}

/* Both iterators are called i. */
void hidden(int n, double a[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int w = i;
        for (int i = 0; i < w; i++)
            a[w][i] = 0;
    }
#pragma endscop
}
