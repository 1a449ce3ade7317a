// Two grids that change places in each step: pointers to memory of `new`, through references.
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace {

void step(int n, int m, const double *__restrict old, double *__restrict other)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            other[i * m + j] = 0.25 * (old[(i - 1) * m + j] + old[(i + 1) * m + j] + old[i * m + j - 1] + old[i * m + j + 1]);
#pragma endscop
}

void advance(int n, int m, double *&old, double *&other)
{
    step(n, m, old, other);
    std::swap(old, other);
}

} // namespace

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 12, m = 9;
    int steps = argc > 2 ? std::atoi(argv[2]) : 8;
    double *old = new double[n * m], *other = new double[n * m]();
    for (int i = 0; i < n * m; i++)
        old[i] = other[i] = i % 11;
    for (int t = 0; t < steps; t++)
        advance(n, m, old, other);
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += old[i * m + j] * (i + j);
    std::printf("%a\n", sum);
    delete[] old;
    delete[] other;
    return 0;
}
