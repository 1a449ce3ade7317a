/* Attributes and qualifiers in the code between regions: what they make happen, the device must not miss. Others are harmless. */
#include "support.h"
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define ALWAYS static inline __attribute__((always_inline, unused, const))
#define PLACED(size) __attribute__((__aligned__(size), unused))
#define AT_END(function) __attribute__((__cleanup__(function)))

static double table[64] PLACED(64);
double shared[64];
extern double same[64] __attribute__((alias("shared")));
typedef int loose __attribute__((may_alias));
static _Thread_local double own[64];
static atomic_int rounds;
static double *watched;

struct record { char tag; double value __attribute__((aligned(16))); int count; } __attribute__((aligned(32)));
typedef int wide __attribute__((mode(DI)));

ALWAYS double square(double x) { return x * x; }
extern double sqrt(double) __attribute__((nothrow, leaf));

static void add(int *at) { table[*at] += 100; }
static void scale(double **at) { (*at)[0] *= 0.5; }
static void with_end(int at) { int k AT_END(add) = at; (void)k; }

/* The end of a variable is code. */
static void ends(int n)
{
    for (int t = 0; t < 2; t++) {
        int k AT_END(add) = t;
#pragma scop
        for (int i = 0; i < n; i++)
            table[i] = table[i] * 0.5 + i;
#pragma endscop
        with_end(t + 1);
#pragma scop
        for (int i = 0; i < n; i++)
            table[i] = table[i] * 0.25 + i;
#pragma endscop
    }
}

/* A pointer to an array of the function's own leaves with it. */
static double last_of(int n)
{
    double a[64];
    double first;
    for (int i = 0; i < 64; i++)
        a[i] = i;
    {
        double *p AT_END(scale) = a;
#pragma scop
        for (int i = 0; i < n; i++)
            a[i] = a[i] + i + 1;
#pragma endscop
    }
    first = a[0];
    return first;
}

/* Two names for one array, one of which only the code between the regions uses. */
static void names(int n)
{
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < n; i++)
            shared[i] = shared[i] * 0.5 + i;
#pragma endscop
        same[t] += 3;
    }
}

/* A type by which C lets one look at any other. */
static void bits(int n, float *restrict a)
{
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < n; i++)
            a[i] = a[i] * 0.5f + i;
#pragma endscop
        loose *p = (loose *)&a[n - 1];
        *p ^= 1 << 22;
    }
}

__attribute__((noinline)) static void look(void)
{
    if (rounds % 2)
        watched[0] += 1;
}

/* Storage of the thread's own, and a counter that others may watch. */
static void threads(int n)
{
    static __thread double more[64];
    watched = own;
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < n; i++) {
            more[i] = more[i] + i;
            own[i] = own[i] * 0.5 + more[i];
        }
#pragma endscop
        rounds++;
        look();
    }
}

/* Layouts that attributes change. */
__attribute__((noinline, hot, flatten))
static void layout(int n __attribute__((unused)), struct record *restrict r, wide *restrict w)
{
#pragma scop
    for (int i = 1; i < n; i++) {
        r[i].value = r[i - 1].value * 0.5 + square(r[i].count) + sqrt(fabs(r[i].value));
        r[i].tag = (char)(r[i].tag + 1);
        w[i] = (wide)i * 3000000000;
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    n = n < 1 ? 1 : n > 64 ? 64 : n;
    ends(n);
    SHOW(table, 64);
    double first = last_of(n);
    SHOW(&first, 1);
    names(n);
    SHOW(shared, 64);
    float *a = floats(n);
    bits(n, a);
    SHOW(a, n);
    threads(n);
    SHOW(own, 64);
    struct record *r = aligned_alloc(32, n * sizeof *r);
    memset(r, 0, n * sizeof *r);
    for (int i = 0; i < n; i++)
        r[i].tag = (char)i, r[i].value = i * 0.25, r[i].count = i;
    wide *w = calloc(n, sizeof *w);
    layout(n, r, w);
    SHOW(r, n);
    SHOW(w, n);
    return 0;
}
