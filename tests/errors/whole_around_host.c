#include <pthread.h>

void f(int n, int m, double a[n][2], double *restrict s, const double x[n], const int *place)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i][0] = x[i] * 2;
    for (int t = 0; t < m; t++)
        s[t] = (double)((long double)a[place[t]][0] / 3);
    for (int i = 0; i < n; i++)
        a[i][0] = (double)((long double)x[i] / 3);
#pragma endscop
}
