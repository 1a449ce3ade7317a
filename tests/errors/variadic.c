#include <stdarg.h>

static double largest(int count, ...)
{
    va_list list;
    va_start(list, count);
    double best = va_arg(list, double);
    while (--count > 0) {
        double x = va_arg(list, double);
        best = x > best ? x : best;
    }
    va_end(list);
    return best;
}

void peak(int n, double *restrict p, const double *restrict a)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        p[i] = largest(3, a[i - 1], a[i], a[i + 1]);
#pragma endscop
}
