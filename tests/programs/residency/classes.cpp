// Regions in member functions, with pointers in members, constructors, destructors, operators and lambda expressions.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

namespace {

struct Log {
    const double *watched;
    explicit Log(const double *p) : watched(p) {}
    ~Log() { std::printf("last %a\n", watched[2]); }
};

class Grid {
public:
    explicit Grid(int n) : n(n), now(new double[n]), next(new double[n]())
    {
        for (int i = 0; i < n; i++)
            now[i] = i % 6;
    }
    Grid(const Grid &) = delete;
    ~Grid() { delete[] now; delete[] next; }
    void step()
    {
        const double *__restrict u = now;
        double *__restrict v = next;
        const int size = n;
#pragma scop
        for (int i = 1; i < size - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
#pragma endscop
        std::swap(now, next);
    }
    double &operator[](int i) { return now[i]; }
    double first() const { return now[1]; }
    const double *data() const { return now; }

private:
    int n;
    double *now, *next;
};

struct Plain {
    int n;
    double *u, *v;
    double &at(int i) { return u[i]; }
    void step();
};

void relax(int n, const double *__restrict u, double *__restrict v)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        v[i] = u[i] - 0.125 * (u[i - 1] + u[i + 1]);
#pragma endscop
}

void Plain::step()
{
    relax(n, u, v);
    at(0) += 1;
    std::swap(u, v);
}

template <class T> T sum(int n, const T *a)
{
    T all = 0;
    for (int i = 0; i < n; i++)
        all += a[i];
    return all;
}

} // namespace

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 40, steps = argc > 2 ? std::atoi(argv[2]) : 7;
    Grid grid(n);
    Plain plain = {n, new double[n](), new double[n]()};
    std::unique_ptr<double[]> owned(new double[n]), spare(new double[n]);
    for (int i = 0; i < n; i++)
        plain.u[i] = owned[i] = spare[i] = i % 4;
    const auto middle = [&] { return plain.u[n / 2] + owned[1]; };
    double all = 0;
    for (int t = 0; t < steps; t++) {
        Log log(grid.data());
        grid.step();
        plain.step();
        relax(n, owned.get(), spare.get());
        owned.swap(spare);
        grid[3] += 1;
        all += middle() + grid.first();
        Plain copy = plain;
        copy.step();
        copy.at(2) = all;
        plain.at(1) = sum(n, plain.u);
    }
    for (double *p : {plain.u, plain.v})
        all += sum(n, p);
    std::cout << all << ' ' << grid[4] << '\n';
    delete[] plain.u;
    delete[] plain.v;
    return 0;
}
