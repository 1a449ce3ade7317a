// Objects without a name, or whose declaration the analysis does not follow, end with a block and touch what is on the
// device; and templates whose text stands for several functions.
#include <cstdio>
#include <cstdlib>

static double *seen;
static double sum;

struct End {
    int k;
    ~End()
    {
        sum += seen[2];
        seen[3] = k;
    }
};

static void bump(int n, double *u)
{
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] = u[i] * 1.5 + 1;
#pragma endscop
}

static void by_reference(int n, double *a)
{
    bump(n, a);
    const End &end = End{1};
    bump(n, a);
}

static void by_member(int n, double *a)
{
    bump(n, a);
    const int &k = End{2}.k;
    bump(n, a);
    sum += k;
}

static void by_binding(int n, double *a)
{
    bump(n, a);
    auto [k] = End{3};
    bump(n, a);
}

static void by_base(int n, double *a)
{
    bump(n, a);
    {
        struct Derived : End {
            int j;
        } derived = {};
        bump(n, a);
    }
    bump(n, a);
}

template <class... Numbers> static double total(Numbers... numbers)
{
    return (seen[2] + ... + numbers);
}

template <int K> struct Reader {
    static double read() { return seen[K]; }
};

int main()
{
    const int n = 24;
    double *u = (double *)std::malloc(n * sizeof(double));
    for (int i = 0; i < n; i++)
        u[i] = i % 7;
    seen = u;
    for (int t = 0; t < 3; t++) {
        by_reference(n, u);
        by_member(n, u);
        by_binding(n, u);
        by_base(n, u);
        bump(n, u);
        sum += total(1.0) + total(1.0, 2.0);
        bump(n, u);
        sum += Reader<1>::read() + Reader<5>::read();
        std::printf("%a\n", sum);
    }
    bump(n, u);
    std::printf("%a %a\n", u[3], u[4]);
    std::free(u);
    return 0;
}
