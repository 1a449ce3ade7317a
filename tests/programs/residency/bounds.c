/* Host loops whose bounds are not what they look like: unsigned numbers that wrap around, and conversions. */
#include <stdio.h>
#include <stdlib.h>

static void next(int n, const double *restrict u, double *restrict v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        v[i] = 0.5 * u[i] + 1.0;
#pragma endscop
}

int main(void)
{
    int n = 8;
    size_t m = n, h = 2;
    double *u = calloc(n, sizeof *u), *v = calloc(n, sizeof *v);
    double s = 0;
    next(n, u, v), next(n, v, u);
    for (size_t i = 0; i < m; i++)
        for (size_t j = i - 1; j < m; j++)
            s += u[j];
    printf("%a\n", s);
    next(n, u, v), next(n, v, u);
    for (size_t i = 0; i < m; i++)
        for (size_t j = i - 1; j < m; j++)
            u[j] += 1;
    next(n, u, v);
    printf("%a\n", v[2]);
    next(n, v, u);
    for (size_t i = 0; i < m; i++)
        for (size_t j = i - h; j < m - h; j++)
            u[j] *= 0.5;
    next(n, u, v);
    printf("%a\n", v[1]);
    next(n, v, u);
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 5 - i; j < 6; j++)
            s += u[j];
    printf("%a\n", s);
    next(n, u, v), next(n, v, u);
    for (int i = 256; (unsigned char)i < 5; i++)
        s += u[i - 256];
    printf("%a\n", s);
    next(n, u, v), next(n, v, u);
    for (int i = -3; (unsigned char)i < 5; i++)
        u[i + 3] = 9.0;
    next(n, u, v);
    printf("%a\n", v[1]);
    next(n, v, u);
    for (long k = 2147483645; k < 2147483650; k++)
        for (int i = 2147483640; i < (int)k; i++)
            s += u[2];
    printf("%a\n", s);
    next(n, u, v), next(n, v, u);
    for (size_t i = 0; i < 5; i++)
        s += u[6 + i * 18446744073709551615ul];
    printf("%a\n", s);
    next(n, u, v), next(n, v, u);
    char text[40];
    sprintf(text, "%lu", (unsigned long)u);
    printf("%a\n", ((double *)strtoul(text, NULL, 10))[2]);
    next(n, u, v), next(n, v, u);
    if (m > 2)
#pragma GCC unroll 2
        for (int i = 0; i < n; i++)
            s += u[i];
    _Pragma("GCC ivdep") for (int i = 0; i < n; i++)
        s += v[i];
    printf("%a\n", s);
    free(u);
    free(v);
    return 0;
}
