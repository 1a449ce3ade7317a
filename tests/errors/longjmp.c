#include <setjmp.h>

jmp_buf failed;

void invert(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] == 0.0)
            longjmp(failed, 1);
        a[i] = 1.0 / a[i];
    }
#pragma endscop
}
