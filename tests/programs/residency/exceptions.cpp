// Exceptions that leave intervals, functions and blocks with memory on the device.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

void relax(int n, const double *__restrict u, double *__restrict v)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        v[i] = u[i] - 0.125 * (u[i - 1] + u[i + 1]);
#pragma endscop
}

static void check(int t, double value)
{
    if (t % 4 == 3)
        throw std::runtime_error("step");
    if (value > 1e9)
        throw value;
}

static double run(int n, int steps, double *u)
{
    std::vector<double> v(n), w(n);
    double all = 0;
    for (int t = 0; t < steps; t++) {
        relax(n, u, v.data());
        relax(n, v.data(), w.data());
        check(t, w[1]);
        all += w[2];
        relax(n, w.data(), u);
    }
    return all;
}

static double keep(int n, int steps, double *u, double *v)
{
    for (int t = 0; t < steps; t++) {
        relax(n, u, v);
        relax(n, v, u);
        if (u[1] > 50)
            throw t;
        u[1] += 20;
    }
    return u[1];
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 30, steps = argc > 2 ? std::atoi(argv[2]) : 9;
    std::vector<double> u(n, 1.0);
    double *p = new double[n](), *q = new double[n]();
    double all = 0;
    for (int k = 1; k < steps; k++) {
        try {
            all += run(n, k, u.data());
        } catch (const std::exception &error) {
            std::printf("%s %a\n", error.what(), u[2]);
            u[3] += 1;
        }
        try {
            all += keep(n, k, p, q);
        } catch (int t) {
            all += t + p[1];
            p[1] = 0;
        }
        relax(n, u.data(), q);
        relax(n, q, p);
    }
    for (int i = 0; i < n; i++)
        all += u[i] + p[i] * i + q[i];
    std::printf("%a\n", all);
    delete[] p;
    delete[] q;
    return 0;
}
