/* Which variables are parameters, and what is assumed of unsigned ones. */
#include <stddef.h>

int size;
static const int width = 7;

void parameters(unsigned n, size_t m, int i0, int A1, short sqrt, double alpha, int only_value, double *restrict a)
{
    const int fixed = 3;
    enum color { RED, GREEN = 4 } color = RED;
#pragma scop
    for (unsigned i = 0; i < n; i++)
        a[i] = alpha * only_value;
    for (size_t i = 1; i < m - 1; i++)
        a[i] = m;
    for (int i = 0; i < n; i++)
        a[fixed * i + width] = fixed + GREEN;
    for (int i = i0; i < A1; i++)
        a[i + sqrt + size] = color;
    a[2 + color] = 0;
#pragma endscop
}

/* The sum fits into 64 bits with a sign, or the region runs as it is. */
void together(unsigned long n, unsigned long m, double *a)
{
#pragma scop
    for (unsigned long i = 0; i < n + m; i++)
        a[i] = 0;
#pragma endscop
}
