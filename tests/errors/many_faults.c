#include <stdio.h>

double unknown(double x);

void everything(int n, double *a, double **rows, volatile int *flag)
{
    int i;
#pragma scop
    for (i = 0; i < n; i++) {
        a[i * i] = 0.0;
        rows[i][0] = 1.0;
        flag[0] = i;
        a[i] = unknown(a[i]);
        puts("done");
        if (a[i] > 3.0)
            break;
    }
#pragma endscop
    printf("%d\n", i);
}
