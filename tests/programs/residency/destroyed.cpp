// Destructors at the ends of blocks, also at `continue` and `break`, read and write elements.
#include <cstdio>
#include <cstdlib>
static void step(int n, double *u) {
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * u[i] + 1;
#pragma endscop
}
struct Guard { double *u; double *out; ~Guard() { *out += u[2]; u[3] = 9; } };
struct Plain { double a, b; };
int main() {
    int n = 50;
    double *u = (double *)calloc(n, sizeof *u);
    double total = 0;
    for (int t = 0; t < 6; t++) {
        Guard g{u, &total};
        step(n, u);
        if (t == 2) continue;
        if (t == 5) break;
        Plain p = {1, 2};
        total += p.a;
        step(n, u);
    }
    { Guard g{u, &total}; step(n, u); }
    printf("%g %g\n", total, u[3]);
    free(u);
    return 0;
}
