// Constants that depend on whether a compiler computes them, and which one; memory that is constant in part.
#include <sys/mman.h>

#include <cstdio>
#include <string_view>
#include <type_traits>

constexpr int power(int base, int exponent)
{
    if (!std::is_constant_evaluated())
        return base << (exponent - 1);
    int result = 1;
    while (exponent--)
        result *= base;
    return result;
}

struct Halved {
    int value;
    constexpr Halved(int value) : value(__builtin_is_constant_evaluated() ? value : value / 2) {}
    constexpr operator int() const { return value; }
};

template <class T>
constexpr int name_length()
{
    return static_cast<int>(std::string_view(__PRETTY_FUNCTION__).size());
}

// The same behind macros, one of which begins the expression.
#define OWN_NAME __PRETTY_FUNCTION__
#define LENGTH (int)sizeof(OWN_NAME)

template <class T>
constexpr int length()
{
    return LENGTH + 1;
}

constexpr int block = power(3, 3), shift = Halved(20), name = name_length<double>() + length<short>();

static void fill(int n, int *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i < block ? shift + i : name;
#pragma endscop
}

// Behind the first page of a nothing may be written, and nothing is.
static void limit(double (&a)[2048], const double *__restrict largest)
{
#pragma scop
    for (int i = 0; i < 2048; i++)
        if (largest[i] > 100)
            a[i] = 7;
#pragma endscop
}

int main()
{
    int a[64];
    fill(64, a);
    std::printf("%d %d %d %d\n", a[0], a[26], a[27], a[63]);
    static double largest[2048];
    largest[5] = 200;
    const int protection = PROT_READ | PROT_WRITE;
    auto *pages = static_cast<double *>(mmap(nullptr, 16384, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    pages[4] = 4;
    mprotect(pages + 1024, 8192, PROT_READ);
    limit(*reinterpret_cast<double (*)[2048]>(pages), largest);
    std::printf("%g %g\n", pages[4], pages[5]);
}
