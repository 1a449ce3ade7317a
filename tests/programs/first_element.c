/* `p->x` of an array is its first element's. */
#include <stdio.h>

struct point {
    double x;
    int n;
};

static struct point line[2];

int main(void)
{
    struct {
        struct point corners[4];
    } local = { { { 5, 1 } } };
    double b[64];
    line[0].x = 3, line[0].n = 40;
    for (int i = 0; i < 64; i++)
        b[i] = 0;
#pragma scop
    for (int i = 0; i < line->n; i++)
        b[i] = line->x + local.corners->x * i + local.corners->n;
#pragma endscop
    for (int i = 0; i < 64; i++)
        printf("%a\n", b[i]);
    return 0;
}
