/* A macro of a header and the operator may bring it in as well. */
#include "wrapping.h"
_Pragma("GCC optimize(\"no-strict-aliasing\")")
WRAPS void next(int n, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] + 1;
#pragma endscop
}
