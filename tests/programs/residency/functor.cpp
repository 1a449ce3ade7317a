// Objects with `operator()`: one that touches no array, one that reads all of it, one that writes an element.
#include <cstdio>
#include <cstdlib>
static void step(int n, double *u) {
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * u[i] + 1;
#pragma endscop
}
struct Add { double by; double operator()(double x) const { return x + by; } };
struct Sum { const double *u; int n; double operator()(int k) const { double s = 0; for (int i = 0; i < n; i++) s += u[i]; return s + k; } };
struct Put { double *u; void operator()(int k, double x) { u[k] = x; } };
int main() {
    int n = 50;
    double *u = (double *)calloc(n, sizeof *u);
    double total = 0;
    Add add = {2.0};
    Sum sum = {u, n};
    Put put = {u};
    for (int t = 0; t < 8; t++) {
        step(n, u);
        total = add(total);
        if (t % 3 == 0) total += sum(t);
        if (t % 4 == 1) put(3, total);
    }
    printf("%g %g\n", total, u[5]);
    free(u);
    return 0;
}
