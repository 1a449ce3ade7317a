/* References, members of objects and pointers that lead to the same memory: the original loops run. */
#include <cstdio>
#include <cstdlib>

static int table[64];
static int &entry = table[3];

struct object {
    double values[64];
    double sum;

    void add(const object &other)
    {
#pragma scop
        for (int i = 0; i < 64; i++) {
            values[i] = other.values[i] + i;
            sum += values[i];
        }
#pragma endscop
    }

    void shift(int n, double *to)
    {
#pragma scop
        for (int i = 0; i < n; i++)
            to[i] = values[i] + 1;
#pragma endscop
    }
};

static void sums(int n, double &one, double &two, const double &factor, double *x)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = x[i] * factor;
        one += x[i];
        two -= one;
    }
#pragma endscop
}

struct registered;
static registered *last;

/* Its constructor leaves a pointer to it. */
struct registered {
    double factor;
    registered(double f) : factor(f) { last = this; }
};

static void through_constructor(int n, double *x)
{
    registered s(2);
    registered *t = last;
#pragma scop
    for (int i = 0; i < n; i++) {
        t->factor = t->factor + 1;
        x[i] = s.factor * i;
    }
#pragma endscop
    std::printf("%g %g\n", s.factor, x[n - 1]);
}

static void through(int n, double *x)
{
    double local[64] = {};
    double &third = local[3];
    double(&same)[64] = local;
#pragma scop
    for (int i = 0; i < n; i++) {
        local[i] = x[i] + third;
        same[i] = local[i] * 2;
    }
    for (int i = 0; i < 64; i++)
        table[i] = entry + i;
#pragma endscop
    for (double value : local)
        std::printf("%g ", value);
    std::printf("%d %d\n", table[2], table[63]);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 20;
    double x[64];
    for (int i = 0; i < 64; i++)
        x[i] = i * 0.5;
    double one = 1, two = 2;
    sums(n, one, two, 0.5, x);
    sums(n, one, one, two, x);
    sums(n, x[2], two, x[1], x);
    std::printf("%.17g %.17g %.17g %.17g\n", one, two, x[2], x[n - 1]);
    entry = 5;
    through(n, x);
    through_constructor(n, x);
    static object a, b;
    a.values[1] = 3;
    b.add(a);
    b.add(b);
    b.shift(n, a.values);
    b.shift(n, b.values + 1);
    b.shift(n, &b.sum - 40);
    std::printf("%.17g %.17g %.17g\n", a.values[n - 1], b.values[n], b.sum);
    return 0;
}
