// Vectors that end with a `return`: some die, some go to the caller, and some are read once more on the way out.
#include <cstdio>
#include <numeric>
#include <utility>
#include <vector>
static void step(int n, double *u) {
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * u[i] + 1;
#pragma endscop
}
struct Pair { std::vector<double> one; double other; };
struct Printer { std::vector<double> &seen; ~Printer() { std::printf("seen %g\n", seen[2]); } };
static std::vector<double> made(int n) {
    std::vector<double> u(n);
    for (int t = 0; t < 4; t++) step(n, u.data());
    return u;
}
static std::vector<double> moved(int n) {
    std::vector<double> u(n), v(n);
    for (int t = 0; t < 4; t++) { step(n, u.data()); step(n, v.data()); u.swap(v); }
    if (n > 30) return std::move(v);
    return v;
}
static std::vector<double> copied(int n) {
    std::vector<double> u(n);
    for (int t = 0; t < 4; t++) step(n, u.data());
    const std::vector<double> &same = u;
    return same;
}
static Pair paired(int n) {
    std::vector<double> u(n);
    for (int t = 0; t < 4; t++) step(n, u.data());
    return {u, 3};
}
static double summed(int n) {
    std::vector<double> u(n);
    for (int t = 0; t < 4; t++) step(n, u.data());
    return std::accumulate(u.begin(), u.end(), 0.0) + u.back();
}
static double sum(std::vector<double> u) { return u[1] + u[2]; }
static double passed(int n) {
    std::vector<double> u(n);
    for (int t = 0; t < 4; t++) step(n, u.data());
    return sum(u);
}
static double taken(int n, std::vector<double> &out) {
    std::vector<double> u(n);
    for (int t = 0; t < 4; t++) step(n, u.data());
    out = std::move(u);
    return 1;
}
static double exchanged(int n, std::vector<double> &out) {
    std::vector<double> u(n);
    for (int t = 0; t < 4; t++) step(n, u.data());
    std::swap(u, out);
    return 2;
}
static double printed(int n) {
    std::vector<double> u(n);
    Printer p{u};
    for (int t = 0; t < 4; t++) step(n, u.data());
    return 3;
}
static double printed_inside(int n) {
    std::vector<double> u(n);
    {
        Printer p{u};
        for (int t = 0; t < 4; t++) {
            step(n, u.data());
            if (t == n) return 4;
        }
    }
    return 5;
}
static double died(int n) {
    std::vector<double> u(n);
    for (int t = 0; t < 4; t++) step(n, u.data());
    double last = u[n - 1];
    return last;
}
int main() {
    int n = 40;
    std::vector<double> a = made(n), b = moved(n), c = copied(n), d, e(n);
    Pair p = paired(n);
    double total = summed(n) + passed(n) + taken(n, d) + exchanged(n, e) + printed(n) + printed_inside(n) + died(n);
    std::printf("%g %g %g %g %g %g %g\n", a[3], b[4], c[5], p.one[6], d[7], e[8], total);
    return 0;
}
