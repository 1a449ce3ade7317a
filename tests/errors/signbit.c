#include <math.h>

void f(int n, const float x[n], double d[n], int b[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = signbit(x[i]);
        d[i] = signbit(d[i]) ? 1 + !signbit(x[i]) : signbit(x[i]) != 0;
        b[i] += signbit(x[i]) == signbit(d[i]);
        if (signbit(x[i]) && (_Bool)signbit(d[i]))
            b[i] += 2;
        while (signbit(d[i]))
            d[i] = d[i] + 1;
        b[i] += 0 == signbit(x[i]);
    }
#pragma endscop
}
