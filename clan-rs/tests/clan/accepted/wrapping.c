/* Where integers may wrap around, and where what surrounds them shows that they do not. */

/* The condition is a step: for small i the difference is large. */
void difference(unsigned n, double a[restrict 100])
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        if (i - 3 < 5)
            a[i] = 1;
#pragma endscop
}

/* What is evaluated only where something holds fits there. */
void guarded(int n, double a[restrict 100], double b[restrict 100])
{
#pragma scop
    for (int i = -5; i < n; i++) {
        if (i > 0 && (unsigned)i - 1 < 7)
            a[i] = 1;
        if (i <= 0 || (unsigned)i - 1 < 7)
            a[i + 5] = 2;
        b[i > 2 ? (unsigned)i - 2 : 0] = 3;
        b[i < 3 ? 1 : (unsigned)i - 2] = 4;
    }
#pragma endscop
}

/* An iterator is never beyond its type, whatever bounds it. */
void within_type(long n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[(unsigned)i] = 1;
    for (unsigned char k = 3; k < n - 100 && k < 9; k++)
        a[(signed char)k] = 2;
#pragma endscop
}

void conversions(int n, int m, double a[restrict 400])
{
#pragma scop
    for (int i = 0; i < n; i++)
        if ((unsigned char)i < 5)
            a[i] = 1;
    for (int i = -3; i < 9; i++)
        if ((unsigned)i < 5u)
            a[i + 3] = 2;
    for (int i = 0; i < 9; i++) {
        a[(_Bool)i] += 3;
        if ((_Bool)(i - 4))
            a[i] = 4;
        if (~i > -4)
            a[i] = 5;
        if (-i > -3)
            a[i] = 6;
        if (!(i - 2))
            a[i] = 7;
    }
    for (int i = 0; i < 9; i++)
        a[(unsigned)(n > 5 ? n - 9 : m) % 7 + i] = 8;
#pragma endscop
}

void shifts(int n, unsigned u, double a[restrict 400])
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (i << 3 > 40)
            a[i] = 1;
    for (unsigned i = 0; i < u; i++)
        if (i << 2 > 40)
            a[i] = 2;
    for (int i = 0; i < 9; i++) {
        if (i << 31)
            a[i] = 3;
        if (i & -1)
            a[i] = 4;
        if (-i >> 1 == -3)
            a[i] = 5;
        if ((7 & i) == 3)
            a[i] = 6;
    }
#pragma endscop
}

void products(unsigned n, unsigned m, int p, int q, double *restrict a, double *restrict b)
{
#pragma scop
    for (unsigned i = 0; i < n * m; i++)
        a[i] = 1;
    for (int i = 0; i < p * q; i++)
        b[i] = 2;
    for (long i = 0; i < (long)p * q; i++)
        b[i] += 3;
    for (int i = 0; i < p * (q + 2) * q; i++)
        b[i] += 4;
#pragma endscop
}

/* A loop ends where its condition fails first. */
void interrupted(int n, double a[restrict 100])
{
#pragma scop
    for (int k = 0; k % 5 != 4 && k < n; k++)
        a[k] = 1;
    for (int k = 9; k >= 0 && (k > 6 || k < 3); k -= 2)
        a[k] = 2;
    for (unsigned i = 0; i + 2 < n + 2u; i += 3)
        a[i] = 3;
    for (unsigned i = 9; i > 3; i += 4294967295u)
        a[i] = 4;
    for (int i = 9; 3 < i; i = -2 + i)
        a[i] = 5;
    for (int i = 0; i < n; i = 2 + i)
        a[i] = 6;
#pragma endscop
}
