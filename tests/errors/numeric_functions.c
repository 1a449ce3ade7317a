#include <math.h>

void f(int n, double *a, const long double *b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = isnan(b[i]) + nan("1") + ilogb(a[i]);
#pragma endscop
}
