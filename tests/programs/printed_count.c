/* What is printed is counted into an array that stays on the device between regions. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 60;
    signed char *u = malloc(n), *v = malloc(n);
    for (int i = 0; i < n; i++)
        u[i] = i, v[i] = -i;
    for (int t = 0; t < 4; t++) {
#pragma scop
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i - 1] / 2 + u[i + 1] / 2;
#pragma endscop
        printf("step %d%hhn\n", t, v + 7);
#pragma scop
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i] + t;
#pragma endscop
    }
    for (int i = 0; i < n; i++)
        printf("%d %d\n", u[i], v[i]);
    free(u);
    free(v);
    return 0;
}
