// The time loop of `time_loop.c` with vectors, in namespaces. Only `u` is read at the end.
#include <cstdlib>
#include <iostream>
#include <vector>

namespace steps {

void forward(int n, const double *__restrict u, double *__restrict v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        v[i] = 0.5 * u[i] + u[n - 1 - i];
#pragma endscop
}

void back(int n, double *__restrict u, const double *__restrict v)
{
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = v[i] - 0.25 * u[i];
#pragma endscop
}

} // namespace steps

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 100;
    const int steps = argc > 2 ? std::atoi(argv[2]) : 10;
    std::vector<double> u(n), v(n);
    for (int i = 0; i < n; i++)
        u[i] = i % 7;
    for (int t = 0; t < steps; t++) {
        steps::forward(n, u.data(), v.data());
        steps::back(n, u.data(), v.data());
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i] * (i + 1);
    std::cout << sum << "\n";
    return 0;
}
