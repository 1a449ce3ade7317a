// Functions of another file use elements of what members of a structure lead to.
#include <cstdio>
#include <cstdlib>
#include <vector>
namespace io {
#pragma c2cuda effects reads(x[0:n])
double total(int n, const double *x);
#pragma c2cuda effects writes(x)
void bump(double &x);
}
struct Grid {
    int n;
    double *u;
#pragma c2cuda effects reads(u[k:1])
    double at(int k) const;
#pragma c2cuda effects writes(g.u[0:g.n])
    static void scale(Grid &g, double by);
};
#pragma c2cuda effects reads(v[1:1])
double second(const std::vector<double> &v);
static void step(int n, double *u) {
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * u[i] + 1;
#pragma endscop
}
int main() {
    Grid g{100, (double *)calloc(100, 8)};
    std::vector<double> w(100);
    double sum = 0;
    for (int t = 0; t < 20; t++) {
        step(g.n, g.u);
        step(100, w.data());
        if (t % 5 == 0)
            sum += g.at(3);
        if (t % 10 == 3)
            io::bump(g.u[4]);
        if (t % 10 == 4)
            sum += second(w);
        if (t == 17)
            Grid::scale(g, sum);
    }
    sum += io::total(g.n, g.u);
    printf("%g\n", sum);
    free(g.u);
    return 0;
}
