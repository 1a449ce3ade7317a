/* Arithmetic in every type, with C's conversions. */
#include "support.h"

static void narrow(int n, unsigned char *restrict a, signed char *restrict b, short *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = a[i] + 200;
        b[i] = b[i] / 3;
        c[i] = a[i] * b[i] - c[i];
    }
#pragma endscop
}

static void whole(int n, int *restrict a, unsigned *restrict b, long *restrict c, unsigned long *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = b[i] * 2654435761u + (unsigned)i;
        a[i] = (a[i] >> 3) ^ (int)(b[i] & 0xff);
        c[i] = c[i] / 7 + (long)a[i] * i;
        d[i] = (d[i] << 5) | (d[i] >> 59);
        a[i] = a[i] % 11 + (c[i] < 0) + !a[i] + ~i;
    }
#pragma endscop
}

static void real(int n, float *restrict a, double *restrict b, const int *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = a[i] * 0.1 + b[i];
        b[i] = a[i] * 0.1f + (float)b[i];
        a[i] += c[i] % 100 / 8;
        a[i] -= c[i] % 100 / 8.0f;
        b[i] = -b[i] + (int)(b[i] * 100.0) + 1e-3 + 0x1p-4;
    }
#pragma endscop
}

static void mixed(int n, _Bool *restrict flag, char *restrict letter, long long *restrict big, unsigned short *restrict u)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        flag[i] = u[i] & 4;
        letter[i] = flag[i] ? 'a' + i % 26 : '\n';
        big[i] = -(long long)u[i] * u[i] + i;
        u[i] ^= (unsigned short)big[i];
    }
#pragma endscop
}

/* With a counter of type long, the length of what `a` is used for is one of a few constants. */
static void few(int n, float *restrict a, float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = i < 2 ? a[i + 2] : a[0];
    for (long i = 0; i < n; i++)
        b[i] *= 0.5f;
#pragma endscop
}

/* Few steps of a counter that no `int` holds, one after the other. */
static void in_billions(unsigned n, double *restrict a)
{
#pragma scop
    for (unsigned i = 0; i < n; i += 1000000000u)
        a[0] = a[0] * 0.5 + i;
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    unsigned char *a = bytes(n, sizeof *a);
    signed char *b = bytes(n, sizeof *b);
    short *c = bytes(n, sizeof *c);
    int *d = bytes(n, sizeof *d);
    unsigned *e = bytes(n, sizeof *e);
    long *f = bytes(n, sizeof *f);
    unsigned long *g = bytes(n, sizeof *g);
    float *h = floats(n);
    double *k = doubles(n);
    float *few_sources = floats(n + 4), *few_results = floats(n);
    _Bool *flag = allocate(n, sizeof *flag);
    char *letter = allocate(n, sizeof *letter);
    long long *big = bytes(n, sizeof *big);
    unsigned short *u = bytes(n, sizeof *u);

    narrow(n, a, b, c);
    SHOW(a, n);
    SHOW(b, n);
    SHOW(c, n);
    whole(n, d, e, f, g);
    SHOW(d, n);
    SHOW(e, n);
    SHOW(f, n);
    SHOW(g, n);
    real(n, h, k, d);
    SHOW(h, n);
    SHOW(k, n);
    mixed(n, flag, letter, big, u);
    SHOW(flag, n);
    SHOW(letter, n);
    SHOW(big, n);
    SHOW(u, n);
    few(n, few_sources, few_results);
    SHOW(few_results, n);
    double billions[] = {1};
    in_billions(4000000000u, billions);
    SHOW(billions, 1);
    return 0;
}
