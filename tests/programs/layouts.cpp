// Classes that clang, which reads the file, lays out otherwise than g++, which builds the program.
#pragma GCC diagnostic ignored "-Wattributes"
#include <cstdio>

struct Count {
    int q;
    char c;
};
struct Holder {
    [[no_unique_address]] Count count;
    char e;
};
struct Derived : Holder {
    char d;
    float v;
};
static Derived derived[6];

struct Point {
    float x, y, z;
    Point() : x(0), y(0), z(0) {}
};
struct __attribute__((packed)) Record {
    char tag;
    Point points[2];
    double e;
};
static Record records[8];

#pragma options align=packed
struct Aligned {
    char c;
    double v;
};
static Aligned aligned[8];

int main()
{
#pragma scop
    for (int i = 0; i < 6; i++) {
        derived[i].d = i;
        derived[i].v = i * 2;
    }
    for (int i = 0; i < 8; i++) {
        records[i].e = i * 2.5;
        records[i].tag = i;
    }
#pragma endscop
#pragma scop
    for (int i = 0; i < 8; i++)
        aligned[i].v = i;
#pragma endscop
    for (const Derived &one : derived)
        std::printf("%d %g %d\n", one.d, one.v, one.e);
    for (const Record &one : records)
        std::printf("%d %g\n", one.tag, one.e);
    for (const Aligned &one : aligned)
        std::printf("%g\n", one.v);
}
