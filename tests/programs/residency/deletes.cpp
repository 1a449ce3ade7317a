// `new` and `delete` of other memory while an array is on the device, and of arrays that are on it.
#include <cstdio>
static void step(int n, double *u) {
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * u[i] + 1;
#pragma endscop
}
struct Box { double *mine; int n; Box(int n) : mine(new double[n]()), n(n) {} ~Box() { delete[] mine; } };
int main() {
    int n = 50;
    double *u = new double[n]();
    double total = 0;
    for (int t = 0; t < 6; t++) {
        step(n, u);
        int *other = new int[10];
        other[3] = t;
        total += other[3];
        delete[] other;
        double *one = new double(t);
        total += *one;
        delete one;
    }
    double *w = new double[n]();
    step(n, w);
    delete[] w;
    w = new double[n]();
    step(n, w);
    total += w[3];
    delete[] w;
    for (int t = 0; t < 3; t++) {
        Box b(n);
        step(b.n, b.mine);
        step(b.n, b.mine);
        total += b.mine[t];
    }
    printf("%g %g\n", total, u[5]);
    delete[] u;
    return 0;
}
