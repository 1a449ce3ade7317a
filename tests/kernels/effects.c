/* Assignments inside expressions, and the temporaries of conditions. */
#include "support.h"

static int effects(int n, double a[n], double b[n], char c[n])
{
    int count = 0, spare;
#pragma scop
    for (int i = 0; i < n; i++) {
        int k = i;
        a[i] += k++;
        b[i] *= --k * 2, c[i] += 3, (void)0;
        a[i] += (spare = k, spare + 1);
        c[i] = a[i] = b[i] -= 2;
        if ((k = c[i]) > 3)
            count++;
        b[i] = (k &= 1, k) ? a[i] : 2;
    }
    for (int i = 0; i != n; i++) {
        int unused;
        unused = c[i]++ + (a[i] /= 2);
        b[i] -= unused--;
        b[i] += unused;
    }
#pragma endscop
    return count;
}

static void unequal(int n, size_t m, double a[n])
{
    int i;
#pragma scop
    for (i = n - 1; i != -1; i--)
        a[i] += 1.0;
    for (size_t k = 0; k != m; k++)
        a[k] *= 2.0;
    for (i = 0; n != i; ++i)
        a[i] -= 0.5;
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *a = doubles(n), *b = doubles(n);
    char *c = bytes(n, 1);

    printf("%d\n", effects(n, a, b, c));
    SHOW(a, n);
    SHOW(b, n);
    SHOW(c, n);
    unequal(n, n, a);
    SHOW(a, n);
    return 0;
}
