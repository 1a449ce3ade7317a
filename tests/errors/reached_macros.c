/* What a compiler predefines, reached by a macro of C's own headers, and by names that are put together. */
#include <features.h>
#include <limits.h>
#include <float.h>

#define JOIN(a, b) a##b
#define HAS(attribute) __has_attribute(attribute)

#if HAS(noclone)
enum { WIDTH = HAS(noclone) ? 8 : 4 };
#endif

void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i * (3 + __GNUC_PREREQ(7, 0)) + INT_MAX / 2 + DBL_MAX;
#pragma endscop
}

void g(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i + JOIN(__GNUC, __) + JOIN(__COUN, TER__);
#pragma endscop
}
