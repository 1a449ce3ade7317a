/* Operators of a class of a header have regions, and are called in a loop. */
#include "field.h"
#include <cstdio>

struct Scale {
    double by;
    void operator()(Field &u) const
    {
        int n = u.size();
        double *p = u.data(), k = by;
#pragma scop
        for (int i = 0; i < n; i++)
            p[i] *= k;
#pragma endscop
    }
};

static Field &operator+=(Field &u, const Field &v)
{
    int n = u.size();
    double *p = u.data();
    const double *q = v.data();
#pragma scop
    for (int i = 0; i < n; i++)
        p[i] += q[i];
#pragma endscop
    return u;
}

static Field &operator-(Field &u)
{
    int n = u.size();
    double *p = u.data();
#pragma scop
    for (int i = 0; i < n; i++)
        p[i] = -p[i];
#pragma endscop
    return u;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 100, steps = argc > 2 ? std::atoi(argv[2]) : 10;
    Field u(n), v(n);
    Scale half{0.5};
    for (int i = 0; i < u.size(); i++) {
        u[i] = i % 7;
        v[i] = i % 5;
    }
    for (int t = 0; t < steps; t++) {
        u += v;
        half(u);
        -u;
        if (t % 10 == 9)
            std::printf("%a\n", u[3]);
    }
    double sum = 0;
    for (int i = 0; i < u.size(); i++)
        sum += u[i];
    std::printf("%a %a\n", sum, v[2]);
}
