// A handler in which no call can be added: nothing that an exception could leave stays on the device for it.
#include <cstdio>
#include <vector>
static void step(int n, double *u) {
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * u[i] + 1;
#pragma endscop
}
#define HANDLE(number) catch (int number) { all += u[number]; }
static double hidden(int n) {
    std::vector<double> u(n);
    double all = 0;
    for (int t = 0; t < 6; t++) {
        try {
            for (int k = 0; k < 3; k++)
                step(n, u.data());
            if (t == 2)
                throw t;
            step(n, u.data());
        } HANDLE(number)
        step(n, u.data());
    }
    return all + u[5];
}
int main() {
    int n = 40;
    std::vector<double> u(n, 1.0);
    double all = hidden(n);
    for (int t = 0; t < 9; t++)
        step(n, u.data());
    std::printf("%.17g\n", all + u[3]);
}
