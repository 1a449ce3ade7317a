// `p->x` of an array is its first element's; an operand `c ? x : 0.0` is a value, to which no reference is bound.
#include <cmath>
#include <cstdio>

struct Point {
    double x;
    int n;
};

struct Grid {
    Point corners[4];
    Point rows[2][3];
};

static Point line[2];

static double half(double value)
{
    return value / 2;
}

int main()
{
    static Grid grid;
    double a[64], b[64];
    line[0] = {3, 40};
    grid.corners[0] = {5, 1};
    grid.rows[1][0] = {7, 2};
    for (int i = 0; i < 64; i++)
        a[i] = i - 30.25, b[i] = 0;
#pragma scop
    for (int i = 0; i < line->n; i++)
        b[i] = line->x + grid.corners->x * i + grid.rows[1]->x;
    for (int i = 0; i < 64; i++)
        b[i] += std::exp(a[i] < 0 ? a[i] : 0.0) + half(a[i] > 0 ? 0.0 : a[i]) + std::sqrt(a[i] > 1 ? a[i] : b[i] + 1);
#pragma endscop
    for (double value : b)
        std::printf("%a\n", value);
}
