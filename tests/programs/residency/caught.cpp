// Exceptions end time loops over vectors, which stay on the device after that as they did before.
#include <cstdio>
#include <stdexcept>
#include <vector>
static void step(int n, double *u)
{
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * u[i] + 1;
#pragma endscop
}
static void check(int t)
{
    if (t == 9)
        throw std::runtime_error("tenth step");
}
int main()
{
    int n = 100;
    std::vector<double> u(n, 1.0);
    for (int k = 0; k < 3; k++) {
        try {
            for (int t = 0; t < 20; t++) {
                step(n, u.data());
                check(t);
            }
        } catch (const std::exception &error) {
            std::printf("%s\n", error.what());
        }
    }
    for (int t = 0; t < 20; t++)
        step(n, u.data());
    std::printf("%g\n", u[3]);
    return 0;
}
