// What g++ may answer otherwise than clang, which reads the file.
#include <type_traits>

struct base {
    int q;
    char c;
    base();
};
struct derived : base {
    char d;
};
enum flag : bool { off, on };

static inline int pick(int) { return 1; }
static inline int pick(bool) { return 2; }

template <class T> static double weight(double x)
{
    if constexpr (std::is_standard_layout_v<T>)
        return x * 2;
    else
        return x * 3;
}

void sizes(int n, double *x)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = i + sizeof(derived);
#pragma endscop
}

void traits(int n, double *x)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = weight<derived>(i);
#pragma endscop
}

void overloads(int n, double *x)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = pick(on) * i;
#pragma endscop
}
