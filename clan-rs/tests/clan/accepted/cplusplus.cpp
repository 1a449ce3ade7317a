// C++ around regions that could be C.
#include <cmath>
#include <cstdlib>

namespace deep {

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
    for (int i = 0; i < count; ++i)
        p[i] *= factor;
#pragma endscop
}

void roots(int n, float *__restrict__ a, const double *__restrict__ b, bool *__restrict__ c)
{
    constexpr int width = 4;
#pragma scop
    for (int i = 0; i < n; ++i) {
        a[i] = std::sqrt(a[i]) + std::abs(float(b[i])) + static_cast<float>(std::pow(b[i], 2.0)) + std::abs(b[i]);
        c[i] = b[i] > 0.5 and i % width == 0 ? true : c[n - 1 - i];
    }
#pragma endscop
}

}

extern "C" void member(int n, deep::Field *f)
{
#pragma scop
    for (int i = 0; i < n; i++)
        f->data[i] += f->n;
#pragma endscop
}

namespace one {
static double change(double x) { return x + 1; }
}

namespace two {
static double change(double x) { return x + 2; }
static int change(int x) { return x + 3; }
}

void overloaded(int n, double *__restrict__ a, int *__restrict__ b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = one::change(a[i]) * two::change(a[i]);
        b[i] = two::change(b[i]);
    }
#pragma endscop
}

struct Triple {
    float x, y, z;
};

// The constructor that C++ adds to a structure of C's does nothing.
void triples(int n, float *__restrict__ a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        Triple m;
        m.x = a[i];
        m.y = m.x * 2;
        m.z = m.y + i;
        a[i] = m.x + m.z;
    }
#pragma endscop
}

static float narrow(float x) { return x + 1; }

// C has another name for each type, where C++ has one.
void named(int n, float *__restrict__ a, double *__restrict__ b, long *__restrict__ c, long long *__restrict__ d)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = std::erf(a[i]) + std::sqrt(a[i]) + sqrtf(a[i]) + narrow(a[i]);
        b[i] = std::erf(b[i]) + std::sqrt(i) + __builtin_sqrt(b[i]) + std::pow(b[i], i);
        c[i] = std::abs(c[i]);
        d[i] = std::abs(d[i]);
    }
#pragma endscop
}
