// Vectors that change places, are passed by reference, grow, and end with inner blocks.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

static void step(int n, const double *__restrict u, double *__restrict v)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
#pragma endscop
}

static void advance(std::vector<double> &u, std::vector<double> &v)
{
    step((int)u.size(), u.data(), &v[0]);
    v[0] = u[0] + 1;
    v.back() = u[1];
    u.swap(v);
}

static double total(const std::vector<double> &u)
{
    double sum = 0;
    for (std::size_t i = 0; i < u.size(); i++)
        sum += u[i];
    return sum;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 60, steps = argc > 2 ? std::atoi(argv[2]) : 9;
    std::vector<double> u(n), v(n, 0.5);
    for (int i = 0; i < n; i++)
        u[i] = i % 5;
    double sum = 0;
    for (int t = 0; t < steps; t++) {
        advance(u, v);
        if (t % 3 == 1) {
            std::vector<double> w(n), other(u);
            step(n, u.data(), w.data());
            step(n, w.data(), other.data());
            std::swap(u, other);
            sum += total(w) + other[1];
        }
        if (t == 4) {
            u.resize(n + 8, 2.0);
            v.assign(n + 8, 0.25);
        }
        if (t == 6)
            u.push_back(3.0);
        if (t == 7)
            v = u;
        sum += std::max(u[2], v.front());
    }
    std::printf("%a %a\n", sum, total(u));
    return 0;
}
