// C++ around regions that could be C: namespaces, methods, templates, vectors.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
namespace deep {
template <typename T> T twice(T x) { return x + x; }
struct Field {
    int n;
    double *data;
    void scale(double factor);
};
void Field::scale(double factor)
{
    double *p = data;
    const int count = n;
#pragma scop
    for (int i = 0; i < count; i++)
        p[i] *= factor;
#pragma endscop
}
static int scaled(int q)
{
    static constexpr int factor = 2;
    static const double half = 0.5;
    return int(q * factor * half);
}
static void roots(int n, float *__restrict__ a, const double *__restrict__ b, bool *__restrict__ c)
{
    constexpr int width = 4;
    static double table[10][width];
#pragma scop
    for (int i = 0; i < n; ++i) {
        a[i] = std::sqrt(a[i]) + std::abs(float(b[i])) + static_cast<float>(std::pow(b[i], 2.0));
        c[i] = b[i] > 0.5 and i % 2 == 0;
    }
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < width; j++)
            table[i][j] = (i < j) + (c[0] ? true : 2) * int{3} / scaled(1);
#pragma endscop
    std::printf("%g\n", table[2][3]);
}
}
extern "C" void sum(int n, const double *a, double *s)
{
#pragma scop
    s[0] = 0;
    for (int i = 0; i < n; i++)
        s[0] += a[i];
#pragma endscop
}
int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 20;
    std::vector<float> a(n, 2.5f);
    std::vector<double> b(n);
    bool *c = new bool[n];
    for (int i = 0; i < n; i++) b[i] = i / double(n);
    deep::roots(n, a.data(), b.data(), c);
    deep::Field field{n, b.data()};
    field.scale(3);
    double s;
    sum(n, b.data(), &s);
    std::printf("%g %g %g %d\n", double(a[n - 1]), b[n - 1], s, c[n - 2]);
}
