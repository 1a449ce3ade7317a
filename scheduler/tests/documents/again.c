#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = b[i] = argc;
    for (int t = 0; t < 100; t++) {
#pragma scop
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i] += b[j];
#pragma endscop
    }
    return a[0] > 0;
}
