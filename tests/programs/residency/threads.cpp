// `std::thread`: threads that run regions on an array after one another, and on different arrays at once.
#include <cstdio>
#include <cstdlib>
#include <thread>
static void step(int n, double *u) {
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * u[i] + 1;
#pragma endscop
}
static void run(int n, double *u) { for (int t = 0; t < 5; t++) step(n, u); u[0] += 1; step(n, u); }
int main() {
    int n = 50;
    double *u = (double *)calloc(n, sizeof *u), *v = (double *)calloc(n, sizeof *v);
    step(n, u);
    std::thread one(run, n, u), two(run, n, v);
    one.join();
    two.join();
    step(n, v);
    double *w = u;
    std::thread three([w, n] { step(n, w); w[2] = w[1] * 3; });
    three.join();
    step(n, u);
    printf("%g %g %g %g\n", u[0], v[0], u[2], v[5]);
    free(u); free(v);
    return 0;
}
