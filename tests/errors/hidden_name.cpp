#define IN(space, name) space::name
namespace inner {
double factor;
}
double factor;
template <typename T> struct constants {
    static T factor;
};

void scale(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] * IN(inner, factor) + constants<float>::factor;
#pragma endscop
}
