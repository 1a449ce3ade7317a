// Lambda expressions: called in place, with captured pointers, running a region, and passed to an algorithm.
#include <cstdio>
#include <cstdlib>
#include <algorithm>
static void step(int n, double *u) {
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * u[i] + 1;
#pragma endscop
}
int main() {
    int n = 50;
    double *u = (double *)calloc(n, sizeof *u), *v = (double *)calloc(n, sizeof *v);
    double total = 0;
    for (int t = 0; t < 6; t++) {
        step(n, u);
        step(n, v);
        total += [](int k) { return k * 2.0; }(t);
        if (t % 2) [&] { u[1] += total; }();
        auto read = [v](int k) { return v[k]; };
        total += read(t);
        auto work = [&](int k) { step(n, u); return k; };
        total += work(t);
    }
    std::for_each(u, u + n, [&](double &x) { x += 1; total += x; });
    step(n, u);
    printf("%g %g %g\n", total, u[5], v[7]);
    free(u); free(v);
    return 0;
}
