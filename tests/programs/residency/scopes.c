/* Arrays that exist only in a block, and jumps out of it before and after their declarations. */
#include <stdio.h>
#include <stdlib.h>

static double sum;

static void rounds(int n, int limit)
{
    for (int t = 0;; t++) {
        if (t >= limit)
            break;
        double line[64];
        for (int i = 0; i < 64; i++)
            line[i] = i + t;
#pragma scop
        for (int i = 0; i < n; i++)
            line[i] = 2 * line[i] + 1;
#pragma endscop
        if (line[0] > 5)
            continue;
#pragma scop
        for (int i = 0; i < n; i++)
            line[i] = line[i] - 3;
#pragma endscop
        sum += line[0] + line[63];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 50;
    int limit = argc > 2 ? atoi(argv[2]) : 6;
    rounds(n > 64 ? 64 : n, limit);
    rounds(3, 2);
    printf("%a\n", sum);
    return 0;
}
