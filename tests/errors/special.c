/* Attributes that change what a declaration means, as they are written, hidden in macros, and added by redeclarations. */
#include <math.h>

#define NAMED(name) __attribute__((__alias__(name)))
#define JOINED(a, b) __attribute__((a##b))

double table[100];
extern double same[100] __attribute__((alias("table")));
extern double label[100] __asm__("table");
extern double later[100];
#pragma weak other = table
extern double other[100];
const int length [[gnu::weak]] = 50;
static double placed[100] __attribute__((used, section("data")));
typedef float loose __attribute__((aligned(4), may_alias));
struct __attribute__((scalar_storage_order("big-endian"))) wire { int value; };
static struct wire wires[100];
__attribute__((weak)) double replaced(double x) { return x; }
double sqrt(double) __asm__("cbrt");
static double inner(double x) { register double r __asm__("xmm1") = x; return r; }

static void end(int *p) { table[*p] += 1; }

static void run(int n, loose *p) {
#pragma scop
    for (int i = 0; i < n; i++)
        table[i] = same[i] + label[i] + later[i] + other[i] + placed[i] + i % length;
    for (int i = 0; i < n; i++)
        table[i] = p[i] + wires[i].value + replaced(i) + sqrt(i) + inner(i);
    for (int i = 0; i < n; i++) {
        int k __attribute__((cleanup(end))) = i;
        int j JOINED(clean, up(end)) = i;
        table[k] = j;
    }
#pragma endscop
}

extern double later[100] NAMED("table");

__attribute__((constructor)) static void begin(void) {
#pragma scop
    for (int i = 0; i < 100; i++)
        placed[i] = i;
#pragma endscop
}
