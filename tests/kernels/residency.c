/* Several regions on the same arrays, with code between them that touches other memory, or reads these arrays, or changes them. */
#include "support.h"

#include <complex.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

static void two_in_a_row(int n, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] + b[i];
#pragma endscop
    int half = n / 2;
#pragma scop
    for (int i = 0; i < half; i++)
        b[i] = a[i] * 0.5 - b[i + half];
#pragma endscop
}

/* The pointers change places. */
static void in_turns(int n, int rounds, double *a, double *b)
{
    for (int t = 0; t < rounds; t++) {
#pragma scop
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.25 * (a[i - 1] + 2.0 * a[i] + a[i + 1]);
#pragma endscop
        double *other = a;
        a = b;
        b = other;
    }
}

/* The rows are found in the subscripts, the memory ends in the last of them, and functions of the file work between the regions. */
static void exchange(double **one, double **other)
{
    double *first = *one;
    *one = *other;
    *other = first;
}

static double sum(int n, const double *values)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

static double in_rows(int n, int m, int rounds, double *a, double *b)
{
    double total = 0.0;
    for (int t = 0; t < rounds; t++) {
#pragma scop
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
#pragma endscop
        exchange(&a, &b);
    }
    if (n > 2 && m > 2)
        total = sum(n * m - 1, a);
    for (int t = 0; t < 2; t++) {
#pragma scop
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                a[i * m + j] += b[i * m + j + 1] * t;
#pragma endscop
        total += n > 1 && m > 1 ? sum(m, a) : 0.0;
    }
    return total;
}

/* The host looks at what a region leaves. */
static int until_small(int n, double *restrict a, double *restrict rest)
{
    int steps = 0;
    do {
#pragma scop
        for (int i = 0; i < n; i++)
            a[i] *= 0.5;
        for (int i = 0; i < n; i++)
            rest[i] = a[i] * a[i];
#pragma endscop
        steps++;
    } while (n > 0 && fabs(rest[n / 2]) > 1e-3 && steps < 9);
    return steps;
}

/* It looks after every third round only. */
static int until_close(int n, double *restrict a, double *restrict b)
{
    int steps = 0;
    do {
        for (int t = 0; t < 3; t++) {
#pragma scop
            for (int i = 0; i < n; i++)
                b[i] = a[i] * 0.5 + a[n - 1 - i] * 0.25;
#pragma endscop
#pragma scop
            for (int i = 0; i < n; i++)
                a[i] = b[i];
#pragma endscop
        }
        steps++;
    } while (n > 0 && fabs(a[n / 2]) > 1e-3 && steps < 5);
    return steps;
}

/* The host changes one element, between and in the loop. */
static void changed_between(int n, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] += b[i];
#pragma endscop
    if (n > 0)
        a[n / 2] = 7.0;
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] += a[i];
#pragma endscop
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < n; i++)
            a[i] = a[i] * b[i] + t;
#pragma endscop
        memset(b, 0, n / 2 * sizeof *b);
    }
}

/* Regions use different parts, and one of them nothing at all of the first array. */
static void parts(int n, double *restrict a, double *restrict b, double *restrict c)
{
#pragma scop
    for (int i = 0; i < n / 2; i++)
        a[i] = i * 0.5;
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] += i;
#pragma endscop
#pragma scop
    for (int i = n / 4; i < n; i++)
        a[i] += b[i];
#pragma endscop
#pragma scop
    for (int i = n / 3; i < n / 2; i++)
        c[i] = a[i] - b[i];
#pragma endscop
}

/* A region that runs on the host because no loop of it is parallel, between others. */
static void one_on_the_host(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 3.0;
#pragma endscop
    if (n > 2) {
#pragma scop
        for (int i = 1; i < n; i++)
            a[i] = a[i] * 0.125 + a[i - 1];
#pragma endscop
    }
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] - 1.0;
#pragma endscop
}

/* Two names of the same memory, as far as anybody knows; here they overlap. */
static void overlapping(int n, double *a, double *b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] + 1.0;
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = b[i] * 2.0;
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = a[i] - 3.0;
#pragma endscop
}

/* Out of the middle of a loop. */
static int leaving(int n, double *restrict a)
{
    for (int t = 0; t < 5; t++) {
#pragma scop
        for (int i = 0; i < n; i++)
            a[i] = a[i] + t;
#pragma endscop
        if (t == 3)
            return t;
    }
    return 0;
}

/* Arrays of the function's own, one of them in a block that ends between the regions. */
static double local_arrays(int n, double *restrict out)
{
    double own[n + 1], last = 0.0;
    for (int t = 0; t < 3; t++) {
        double inner[n + 1];
#pragma scop
        for (int i = 0; i < n; i++)
            inner[i] = i + t;
        for (int i = 0; i < n; i++)
            own[i] = inner[n - 1 - i] * 0.5;
#pragma endscop
#pragma scop
        for (int i = 0; i < n; i++)
            out[i] += own[i] + inner[i];
#pragma endscop
        last += n > 0 ? inner[n / 2] : 0.0;
    }
    return last;
}

/* What the second region reads by value the first one may have written. */
static void by_value(int n, double *a, const double *factor)
{
    for (int t = 0; t < 2; t++) {
        double scale = *factor;
#pragma scop
        for (int i = 0; i < n; i++)
            a[i] = a[i] * scale;
#pragma endscop
    }
}

/* Nobody reads `a` behind the second region. */
static void forgotten(int n, double *restrict b)
{
    double a[n + 1];
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[i] * 2.0;
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[n - 1 - i];
#pragma endscop
}

/* In most rounds the region uses nothing: the rows would be those before the array. */
static void used_late(int n, double rows[n + 3][n + 1][2 * n + 1])
{
    for (int i = 0; i <= n + 1; i++) {
#pragma scop
        for (int j = 0; j < n; j++)
            if (i >= n)
                rows[i - n + 1][0][j] = rows[i - n][0][j] + 1.0;
#pragma endscop
    }
}

/* A small array is an argument of the kernels, and does not stay. */
static void filtered(int n, int rounds, double *restrict a, double *restrict b, const double weight[3])
{
    for (int t = 0; t < rounds; t++) {
#pragma scop
        for (int i = 1; i < n - 1; i++)
            b[i] = weight[0] * a[i - 1] + weight[1] * a[i] + weight[2] * a[i + 1];
#pragma endscop
#pragma scop
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i] * weight[1];
#pragma endscop
    }
}

/* Memory before which nothing can be read. */
static double *behind_a_wall(size_t count)
{
    const size_t wall = (size_t)1 << 24;
    char *memory = mmap(NULL, wall + count * sizeof(double), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + wall, count * sizeof(double), PROT_READ | PROT_WRITE) != 0)
        abort();
    double *values = (double *)(memory + wall);
    for (size_t i = 0; i < count; i++)
        values[i] = (double)(i % 37) / 8.0;
    return values;
}

/* Two arrays take turns in one piece of memory: what the regions leave of one must not come home over what the host leaves of the other. */
static void interleaved(int n, double *restrict even, double *restrict odd)
{
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < n; i++)
            even[2 * i] += 1.0;
#pragma endscop
        for (int i = 0; i < n; i++)
            odd[2 * i] -= 1.0;
    }
}

/* Allocated memory is numbers of one type for the regions and of another for the host, in turns. */
static long workspace(int n, double *restrict a)
{
    void *space = malloc(n * sizeof(double) + 1);
    double *numbers = space;
    int *counts = space;
    long sum = 0;
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < n; i++)
            numbers[i] = a[i] + t;
#pragma endscop
#pragma scop
        for (int i = 0; i < n; i++)
            a[i] += numbers[n - 1 - i];
#pragma endscop
        for (int i = 0; i < n; i++)
            counts[i] = i * t;
        for (int i = 0; i < n; i++)
            sum += counts[i];
    }
    for (int i = 0; i < n; i++)
        sum += counts[i];
    free(space);
    return sum;
}

/* The host uses the parts of complex numbers. */
static double halves(int n, double complex *z)
{
    double *parts = (double *)z, sum = 0.0;
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < n; i++)
            z[i] = z[i] * 0.5 + 1.0;
#pragma endscop
        sum += n > 0 ? parts[0] : 0.0;
        if (n > 0)
            parts[1] = t;
    }
    return sum;
}

/* The second region sets a part that overlaps the first one's, and reads nothing: what it does not set is the first one's, or the host's. */
static void overlapping_parts(int n, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < n / 2; i++)
        a[i] = b[i] + 1.0;
#pragma endscop
#pragma scop
    for (int i = n / 4; i < n; i++)
        a[i] = b[i] * 2.0;
#pragma endscop
#pragma scop
    for (int i = n / 3; i < n / 2; i++)
        a[i] = b[i] - 3.0;
#pragma endscop
}

/* From the second round on the parameter points to an array of the function, which the host reads and writes by its name. */
static double moved(int n, double *p)
{
    double own[n + 1], sum = 0.0;
    for (int i = 0; i <= n; i++)
        own[i] = i * 0.25;
    for (int t = 0; t < 4; t++) {
#pragma scop
        for (int i = 0; i < n; i++)
            p[i] = p[i] * 0.5 + t;
#pragma endscop
        sum += own[n / 2];
        own[n / 3] += 1.0;
        p = own;
    }
    return sum;
}

/* A pointer to allocated memory, which points to an array of the function in every second round. */
static double in_turns_with_own(int n)
{
    double own[n + 1], sum = 0.0;
    double *space = calloc(n + 1, sizeof *space);
    double *p = calloc(n + 1, sizeof *p), *first = p;
    for (int i = 0; i <= n; i++)
        own[i] = i * 0.25;
    for (int t = 0; t < 5; t++) {
#pragma scop
        for (int i = 0; i < n; i++)
            p[i] = p[i] * 0.5 + t;
#pragma endscop
        sum += own[n / 2];
        p = t % 2 ? space : own;
    }
    sum += space[n / 2] + first[n / 3];
    free(space);
    free(first);
    return sum;
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    double *a = doubles(n + 5), *b = doubles(n + 6), *c = doubles(n + 7);
    size_t elements = n > 0 ? (size_t)n * (n + 1) - 1 : 0;
    double *square = doubles(elements), *other = doubles(elements);

    two_in_a_row(n, a, b);
    SHOW(a, n);
    SHOW(b, n);
    in_turns(n, 5, a, b);
    in_turns(n, 4, b, c);
    SHOW(a, n);
    SHOW(b, n);
    SHOW(c, n);
    double total = in_rows(n, n + 1, 3, square, other);
    SHOW(&total, 1);
    SHOW(square, elements);
    SHOW(other, elements);
    int steps = until_small(n, a, b);
    SHOW(&steps, 1);
    SHOW(a, n);
    SHOW(b, n);
    steps = until_close(n, a, c);
    SHOW(&steps, 1);
    SHOW(a, n);
    SHOW(c, n);
    changed_between(n, b, c);
    SHOW(b, n);
    SHOW(c, n);
    parts(n, a, b, c);
    SHOW(a, n);
    SHOW(b, n);
    SHOW(c, n);
    one_on_the_host(n, c);
    SHOW(c, n);
    overlapping(n, a, b);
    overlapping(n, a, a + 3);
    overlapping(n, b, b);
    SHOW(a, n);
    SHOW(b, n);
    steps = leaving(n, a);
    SHOW(&steps, 1);
    SHOW(a, n);
    double last = local_arrays(n, b);
    SHOW(&last, 1);
    SHOW(b, n);
    by_value(n, a, &a[n / 3]);
    SHOW(a, n);
    forgotten(n, b);
    SHOW(b, n);
    const double weight[3] = {0.25, 0.5, 0.125};
    filtered(n, 3, a, b, weight);
    SHOW(a, n);
    SHOW(b, n);
    elements = (size_t)(n + 3) * (n + 1) * (2 * n + 1);
    double *rows = behind_a_wall(elements);
    used_late(n, (void *)rows);
    SHOW(rows, elements);
    double *pairs = doubles(2 * n + 1);
    interleaved(n, pairs, pairs + 1);
    SHOW(pairs, 2 * n);
    long counted = workspace(n, a);
    SHOW(&counted, 1);
    SHOW(a, n);
    total = halves(n, (double complex *)pairs);
    SHOW(&total, 1);
    SHOW(pairs, 2 * n);
    overlapping_parts(n, a, b);
    overlapping_parts(n / 2, b, a);
    SHOW(a, n);
    SHOW(b, n);
    total = moved(n, a) + in_turns_with_own(n);
    SHOW(&total, 1);
    SHOW(a, n);
    return 0;
}
