// A class with vectors: its functions run regions, exchange the vectors, and read an element. A structure has vectors
// that everybody can name.
#include <cstdlib>
#include <iostream>
#include <utility>
#include <vector>

namespace {

class Wave {
    int n;
    std::vector<double> now, before, speed;

public:
    explicit Wave(int m) : n(m), now(m), before(m), speed(m)
    {
        for (int i = 0; i < n; i++) {
            now[i] = before[i] = i % 11;
            speed[i] = 0.125 + i % 3;
        }
    }

    void step()
    {
        double *u = now.data(), *v = before.data(), *c = speed.data();
#pragma scop
        for (int i = 1; i < n - 1; i++)
            v[i] = 2 * u[i] - v[i] + 0.25 * c[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
#pragma endscop
        now.swap(before);
    }

    void damp(double by)
    {
        double *u = now.data();
#pragma scop
        for (int i = 0; i < n; i++)
            u[i] *= by;
#pragma endscop
    }

    double middle() const { return now[n / 2]; }
};

struct Pair {
    std::vector<double> old, fresh;
};

void relax(int n, const double *u, double *v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        v[i] = 0.5 * u[i] + i;
#pragma endscop
}

} // namespace

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 100;
    const int steps = argc > 2 ? std::atoi(argv[2]) : 10;
    Wave wave(n);
    Pair pair;
    pair.old.resize(n);
    pair.fresh.resize(n);
    for (int t = 0; t < steps; t++) {
        wave.step();
        wave.damp(0.99);
        if (t % 5 == 0)
            std::cout << t << ' ' << wave.middle() << '\n';
        relax(n, pair.old.data(), pair.fresh.data());
        std::swap(pair.old, pair.fresh);
    }
    std::cout << pair.old[3] << '\n';
    return 0;
}
