// Constructors that throw after they have read or written an element.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
static void step(int n, double *u) {
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * u[i] + 1;
#pragma endscop
}
struct Checked {
    double value;
    Checked(const double *u, int k) : value(u[k]) { if (k % 5 == 4) throw std::runtime_error("bad"); }
};
static double *shared;
struct Leaves { int k; Leaves(int k) : k(k) { shared[k] += 1; if (k == 3) throw 7; } ~Leaves() { shared[k] *= 2; } };
int main() {
    int n = 50;
    double *u = (double *)calloc(n, sizeof *u);
    shared = u;
    double total = 0;
    for (int t = 0; t < 10; t++) {
        step(n, u);
        try { Checked c(u, t); total += c.value; step(n, u); }
        catch (const std::exception &e) { total += 100 + u[t]; }
        try { Leaves l(t % 4); step(n, u); total += u[l.k]; }
        catch (int e) { total += u[e]; }
    }
    printf("%g %g\n", total, u[5]);
    free(u);
    return 0;
}
