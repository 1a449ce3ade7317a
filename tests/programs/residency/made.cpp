// Regions in a constructor, a destructor, and an operator: arrays stay on the device in the loops of each.
#include <cstdio>
#include <cstdlib>

static void grow(int n, double *u)
{
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = u[i] * 1.5 + 0.125 * i;
#pragma endscop
}

struct Warm {
    double *u;
    int n;
    Warm(double *u, int n, int steps) : u(u), n(n)
    {
        for (int t = 0; t < steps; t++)
            grow(n, u);
    }
    ~Warm()
    {
        for (int t = 0; t < 5; t++)
            grow(n, u);
        std::printf("%a\n", u[1]);
    }
};

struct Step {
    double by;
    void operator()(int n, const double *from, double *to) const
    {
        double k = by;
#pragma scop
        for (int i = 1; i < n - 1; i++)
            to[i] = from[i] + k * (from[i - 1] - 2 * from[i] + from[i + 1]);
#pragma endscop
    }
};

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 100;
    int steps = argc > 2 ? std::atoi(argv[2]) : 10;
    double *u = (double *)std::malloc(n * sizeof(double)), *v = (double *)std::malloc(n * sizeof(double));
    for (int i = 0; i < n; i++)
        u[i] = v[i] = i % 5;
    {
        Warm warm(u, n, steps);
    }
    Step step{0.25};
    for (int t = 0; t < steps; t++) {
        step(n, u, v);
        step(n, v, u);
    }
    std::printf("%a\n", u[3]);
    std::free(u);
    std::free(v);
    return 0;
}
