#include <string.h>
void f(int n, int m, double a[n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        memset(a[i], 0, m * sizeof(double));
#pragma endscop
}
