#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

/* What regions call, and where they stand. */
template <int N> double scaled(double x)
{
    if constexpr (N > 2)
        return x * N;
    else
        return x;
}

template <typename T> T twice(T x)
{
    if constexpr (sizeof(T) > 4) {
        return x * 2;
    } else {
        return x;
    }
}

template <typename T> T largest(const T &a, const T &b, const T &c) { return std::max(a, std::max(b, c)); }
double mixed(const double &a, const double &b, const double &t) { return a + t * (b - a); }
double damped(double x, double s = -0.5f, int k = 'a') { return x * s + k; }
struct S { static double h(double x) { return x + 1; } };
template <typename T> struct C { static T h(T x) { return x + 1; } };
template <> inline float C<float>::h(float x) { return x + 3; }

template <typename T> void fill(T *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

template <> void fill<double>(double *a, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = S::h(i) + C<double>::h(i) + C<float>::h(i);
#pragma endscop
}

void tried(int n, double *a)
try {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = damped(a[i]) + damped(a[i], 2) + damped(a[i], 2, 3);
#pragma endscop
} catch (...) {
    std::puts("caught");
}

/* Memory that a pointer leads to has a known length. */
double marked(int n, const int *c)
{
    double table[400], *t = table;
    double *fresh = new double[n]();
    for (int i = 0; i < n; i++)
        t[i] = i;
#pragma scop
    for (int i = 0; i < n; i++)
        if (c[i]) {
            t[i] = -1;
            fresh[i] = 2;
        }
#pragma endscop
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += t[i] * i + fresh[i];
    delete[] fresh;
    return sum;
}

// Its initialiser in parentheses is an expression without a type.
template <typename T> T in_parentheses(int n)
{
    T value(n);
    return value;
}

int main(int, char **arguments)
{
    std::printf("%g\n", in_parentheses<double>(3));
    const int n = std::atoi(arguments[1]);
    static double a[400], b[400];
    static int c[400];
    double top = -1e9, low = 1e9;
    fill(a, n);
    tried(n, a);
    for (int i = 0; i < n; i++) {
        b[i] = (i * 37) % 19 - 9;
        c[i] = i % 3;
    }
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] += scaled<3>(b[i]) + scaled<1>(b[i]) + twice(b[i]) + twice(2.0f) + mixed(a[i], b[i], 0.25);
    for (int i = 0; i < n; i++)
        b[i] = largest(a[i], b[i], 2.0) + std::min(b[i], 3.0) + std::sqrt(i) + std::pow(std::fabs(b[i]), 2) + (c[i] ?: 7);
    for (int i{0}; i < n; ++i) {
        double sum{}, factor{0.5f};
        sum += b[i] * factor;
        top = std::max(top, sum);
        low = std::min(low, a[i]);
    }
#pragma endscop
    double s = marked(n, c);
    for (int i = 0; i < n; i++)
        s += a[i] * i + b[i];
    std::printf("%.17g %.17g %.17g\n", top, low, s);
}
