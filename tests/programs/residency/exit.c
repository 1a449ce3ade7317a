/* Functions that other files may call, too; a loop that several statements leave. */
#include <stdio.h>
#include <stdlib.h>

void grow(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 1.5 * a[i] + 1;
#pragma endscop
}

void shrink(int n, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0.5 * a[i] - b[i];
#pragma endscop
}

int run(int n, int steps, double *a, double *b)
{
    for (int t = 0; t < steps; t++) {
        grow(n, a);
        if (t % 4 == 3 && a[0] > 100)
            return t;
        if (t % 4 == 2) {
            if (a[1] < -100)
                break;
            continue;
        }
        shrink(n, b, a);
    }
    return -1;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 50;
    int steps = argc > 2 ? atoi(argv[2]) : 30;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = i, b[i] = 1;
    int t = run(n, steps, a, b);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] - 2 * b[i];
    printf("%d %a\n", t, sum);
    free(a);
    free(b);
    return 0;
}
