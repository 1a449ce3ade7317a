/* The time loop of a program in two files, both of which have regions: arrays of an object and of vectors. */
#include <cstdio>
#include <cstdlib>
#include <vector>
void relax(int n, const double *u, double *v);
double at(const double *x);
void bump(double &x, double by);
struct Grid {
    int n;
    double *now, *next;
    void exchange()
    {
        double *other = now;
        now = next;
        next = other;
    }
};
static void scale(int n, double *u, double k)
{
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] *= k;
#pragma endscop
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 100, steps = argc > 2 ? std::atoi(argv[2]) : 20;
    Grid grid{n, (double *)std::malloc(n * sizeof(double)), (double *)std::malloc(n * sizeof(double))};
    std::vector<double> force(n), old(n);
    for (int i = 0; i < n; i++)
        grid.now[i] = grid.next[i] = force[i] = i % 7;
    for (int t = 0; t < steps; t++) {
        relax(n, grid.now, grid.next);
        scale(n, grid.next, 0.75);
        relax(n, force.data(), old.data());
        std::swap(force, old);
        grid.exchange();
        if (t % 10 == 9)
            bump(grid.now[3], at(&force[4]));
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += grid.now[i];
    std::printf("%a %a %a\n", sum, force[5], at(&old[6]));
    std::free(grid.now);
    std::free(grid.next);
}
