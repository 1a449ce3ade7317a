/* C's conversions are spelled out. */
#include <math.h>
#include <stdlib.h>
#define STEP 0.25f

void conversions(int n, unsigned u, char *restrict c, float *restrict f, double *restrict d, unsigned *restrict w,
                 long *restrict l, unsigned char *restrict b, short *restrict s)
{
#pragma scop
    for (int i = 0; i < 9; i++) {
        c[i] = c[i] + 1;
        c[i] += 1;
        f[i] = 0.1;
        f[i] = 0.1f * STEP;
        f[i] += d[i];
        d[i] += f[i];
        d[i] = i / 2 + 1.0 / 3;
        w[i] = -w[i] + i;
        w[i] += i;
        w[i] += l[i];
        l[i] += w[i];
        l[i] = (long)w[i] << 3;
        w[i] >>= 2L;
        b[i] = ~b[i] & 0x7f;
        b[i]++;
        s[i]--;
        s[i] = 'a' + '\n';
        d[i] = d[i] > 0 ? f[i] : i;
        d[i] = !(d[i] && f[i]) + (i == 3);
        d[i] = sqrtf(f[i]) + pow(d[i], 2) + fabs(f[i]) + abs(i);
        d[i] = sizeof(double) * n + u;
        d[i] = 1e-3 + 0x1p-2 + 1.f + .5L;
        f[i] = (float)(int)d[i];
        d[i] = -+d[i];
        d[i] = c[i] = f[i] = 0.3;
    }
#pragma endscop
}
