/* Accesses that data decides about, of elements that exist for all that C says. */
#include "support.h"

struct point {
    double x;
    int chosen;
};

struct totals {
    int found[4];
    int any;
};

/* A parameter with a length. */
static void declared(int n, const int chosen[n], double a[n], int count[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (chosen[i])
            a[i] = 2 * i;
        count[i] = i;
    }
#pragma endscop
}

/* Between the borders of a matrix, columns that data choose: what they leave as it is comes back as well. */
static void columns(int n, const int chosen[n], double a[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n - 1; j++)
            if (chosen[j])
                a[i][j] = i + j;
#pragma endscop
}

/* Where the elements come from data. */
static void gathered(int n, const int chosen[n], const double a[n], const int place[n], double sums[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < chosen[i]; k++)
            sum += a[place[i]];
        sums[i] = sum;
    }
#pragma endscop
}

/* What is certainly read is there. */
static int upper(int n, char *text, char least)
{
    int sum = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        sum += text[i];
        if (text[i] >= least)
            text[i] -= 32;
    }
#pragma endscop
    return sum;
}

/* Elements between those that are certainly written, with m >= 1 at run time. */
static void between(int n, int m, const int *chosen, int *a)
{
#pragma scop
    a[0] = a[m] = 1;
    for (int i = 0; i < n; i++)
        if (chosen[i])
            a[i] += 5;
#pragma endscop
}

/* Rows that certainly exist, though not which element; and structures of which another member is used. */
static void rows(int n, int (*table)[8], struct point *p)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        table[i][p[i].chosen & 7] = i;
        if (p[i].chosen > 1)
            p[i].x = 3;
    }
#pragma endscop
}

/* A member of a structure that is certainly there. */
static void member(int n, const int *chosen, struct totals *all)
{
#pragma scop
    for (int i = 0; i < 4; i++)
        all->found[i] = i;
    for (int i = 0; i < n; i++)
        if (chosen[i] == 1)
            all->any = 1;
#pragma endscop
}

/* Memory of a length that the allocation says. */
static void allocated(int n, const int chosen[n])
{
    int *a = malloc((n + 1) * sizeof *a);
    double *square = calloc((size_t)n * n, sizeof *square);
    if (a == NULL || square == NULL)
        abort();
    for (int i = 0; i <= n; i++)
        a[i] = 7;
#pragma scop
    for (int i = 0; i < n; i++)
        if (chosen[i])
            a[i + 1] = i;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (chosen[i] < chosen[j])
                square[i * n + j] = a[i];
#pragma endscop
    show("allocated", a, n + 1, sizeof *a);
    show("square", square, (size_t)n * n, sizeof *square);
    free(a);
    free(square);
}

/* Numbers that are no larger than the limit stay as they are, and others do not. */
static void limited(int n, int *numbers, int limit)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (numbers[i] > limit)
            numbers[i] = limit;
#pragma endscop
}

struct weights {
    double *each;
    double all;
};

struct settings {
    int rounds;
    double gain, total;
    double *base;
    struct weights *weights;
};

/* Members of structures that may be missing: the call must not follow the pointers to them where C does not. */
static void perhaps(int n, int use, double x[n], struct settings *o, const struct point *points)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] += i;
        if (use) {
            for (int j = 0; j < o->rounds; j++)
                x[i] = x[i] * o->gain + o->base[i];
            o->total += x[i];
        }
    }
#pragma endscop
#pragma scop
    if (use)
        for (int i = 0; i < n; i++)
            x[i] += o->weights->each[i] * o->weights->all + points[i].x + points[i].chosen;
#pragma endscop
}

/* The head of the first loop is read in any case. */
static void counted(double *x, const struct settings *o)
{
#pragma scop
    for (int i = 0; i < o->rounds; i++)
        x[i] += o->gain;
#pragma endscop
}

/* What the region uses under a condition alone is used before it in any case. */
static void used_before(int n, const int *chosen, double result[n], double *factor)
{
    if (n < 0)
        return;
    *factor = 0.5;
    if (n > 1) {
#pragma scop
        for (int i = 0; i < n; i++)
            if (chosen[i] > 0)
                result[i] = *factor * i;
#pragma endscop
    }
}

/* Memory that is allocated in a condition; the pointer is set once more behind the region. */
static void allocated_in_condition(int n, const int chosen[n])
{
    double *memory = NULL;
    if ((memory = malloc((n + 1) * sizeof *memory)) == NULL)
        abort();
    for (int i = 0; i < n; i++)
        memory[i] = i;
#pragma scop
    for (int i = 0; i < n; i++)
        if (chosen[i] > 0)
            memory[i] *= 1.5;
#pragma endscop
    show("memory", memory, n, sizeof *memory);
    free(memory);
    memory = NULL;
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv);
    int *chosen = allocate(n, sizeof *chosen), *place = allocate(n, sizeof *place);
    int *count = allocate(n, sizeof *count), *numbers = allocate(n, sizeof *numbers);
    double *a = doubles(n), *sums = doubles(n);
    struct point *points = allocate(n, sizeof *points);
    struct totals all = { 0 };

    for (int i = 0; i < n; i++) {
        place[i] = n - 1 - i;
        points[i].chosen = i % 5;
        numbers[i] = 3 * i;
    }
    for (int i = 0; i < n; i++)
        chosen[i] = i % 3;
    declared(n, chosen, a, count);
    show("a", a, n, sizeof *a);
    gathered(n, chosen, a, place, sums);
    show("gathered", sums, n, sizeof *sums);
    double *square = doubles((size_t)n * n);
    columns(n, chosen, (double (*)[n])square);
    show("square", square, (size_t)n * n, sizeof *square);
    free(square);

    char text[] = "the quick brown fox jumps over the lazy dog";
    printf("upper: %d\n", upper(sizeof text - 1, text, 'a'));
    puts(text);
    if (n > 0)
        between(n - 1, n - 1, chosen, count);
    show("between", count, n, sizeof *count);
    int (*table)[8] = allocate(n, sizeof *table);
    rows(n, table, points);
    show("table", table, n, sizeof *table);
    for (int i = 0; i < n; i++)
        sums[i] = points[i].x;
    show("x", sums, n, sizeof *sums);
    member(n, chosen, &all);
    show("totals", &all, 1, sizeof all);
    allocated(n, chosen);
    double factor = 0;
    used_before(n, chosen, sums, &factor);
    show("used before", sums, n, sizeof *sums);
    allocated_in_condition(n, chosen);
    limited(n, numbers, 12);
    show("limited", numbers, n, sizeof *numbers);
    struct weights weights = { a, 0.5 };
    struct settings settings = { n > 3 ? 3 : n, 0.25, 0, a, &weights };
    perhaps(n, 0, sums, NULL, NULL);
    perhaps(n, 1, sums, &settings, points);
    settings.weights = NULL;
    settings.base = NULL;
    perhaps(n, 0, sums, &settings, points);
    counted(sums, &settings);
    show("perhaps", sums, n, sizeof *sums);
    show("total", &settings.total, 1, sizeof settings.total);
    free(chosen);
    free(place);
    free(count);
    free(numbers);
    free(a);
    free(sums);
    free(points);
    free(table);
    return 0;
}
