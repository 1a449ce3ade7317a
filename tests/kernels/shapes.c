/* Arrays of many shapes, and subscripts of many kinds. */
#include "support.h"

#include <sys/mman.h>
#include <unistd.h>

#define ROWS 23
#define COLUMNS 17

static double table[ROWS][COLUMNS];
static double deep[2][3][4][5];
double shared_line[64];

static void globals(void)
{
#pragma scop
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            table[i][j] = i * COLUMNS + j * 0.5;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 3; b++)
            for (int c = 0; c < 4; c++)
                for (int d = 0; d < 5; d++)
                    deep[a][b][c][d] = table[a + b][c + d] - table[a][2 * c];
    for (int i = 0; i < 64; i++)
        shared_line[i] = table[i / 17][i % 17];
#pragma endscop
}

static void transpose(int n, int m, double (*restrict a)[m], double (*restrict b)[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j][i] = a[i][j];
#pragma endscop
}

static void mirror(int n, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[n - 1 - i] = b[i];
#pragma endscop
}

static void spread(int n, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[2 * i + 1] = b[i / 2] + b[i % 3];
#pragma endscop
}

static void diagonal(int n, double a[n][n], double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i][i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = b[i] - b[j];
#pragma endscop
}

static void cube(int n, float a[n][n + 1][n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= n; j++)
            for (int k = 0; k < n + 2; k++)
                a[i][j][k] = a[i][j][k] * 0.5f + (i + j - k);
#pragma endscop
}

static void product_of_lines(int n, double *restrict a, double *restrict b, double *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i + j] += a[i] * b[j];
#pragma endscop
}

static void few(double *a)
{
#pragma scop
    a[0] = 1.0;
    a[1] = a[0] + a[2];
    a[2] = a[1] * 2.0;
#pragma endscop
}

/* Of what the last loops read, the first leave elements by thirds and halves. */
static void thirds_and_halves_of_rows(int n, double a[n + 1][n + 1])
{
#pragma scop
    for (int i = n - 1; i >= 0; i -= 3)
        a[0][i / 2] = 1;
    for (int i = n - 1; i >= 0; i -= 2)
        a[i][0] = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[i + 1][j] * 1e-7 < a[i][j] ? a[i + 1][j] * 1e-7 : a[i][j];
#pragma endscop
}

/* For sizes below three there are fewer than no elements. */
static void behind_the_third(int n, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n - 3; i++)
        a[3 * i + 1] += i;
#pragma endscop
}

/* Rows that only the subscripts show, of which the host uses an element less in each: a box around these has more than there is. */
static void half_of_a_square(int n, int rounds, double *restrict a)
{
#pragma scop
    for (int t = 0; t < rounds; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n - i; j++)
                a[i * n + j] = a[i * n + j] * 0.5 + j;
        for (int i = 0; i < n; i++)
            a[i * n + n - 1 - i] = (double)((long double)a[i * n + n - 1 - i] / 3);
    }
#pragma endscop
}

/* Memory that ends with its last element. */
static double *before_a_wall(size_t count)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = count * sizeof(double);
    const size_t length = (bytes + page - 1) / page * page;
    char *memory = mmap(NULL, length + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || (length > 0 && mprotect(memory, length, PROT_READ | PROT_WRITE) != 0))
        abort();
    double *values = (double *)(memory + length - bytes);
    for (size_t i = 0; i < count; i++)
        values[i] = (double)(i % 41) / 8.0;
    return values;
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv), m = n / 2 + 1;
    double *a = doubles((size_t)n * m), *b = doubles((size_t)n * m), *square = doubles((size_t)n * n);
    double *line = doubles(2 * n + 3), *c = doubles(2 * n);
    float *f = floats((size_t)n * (n + 1) * (n + 2));

    globals();
    SHOW(&table[0][0], ROWS * COLUMNS);
    SHOW(&deep[0][0][0][0], 2 * 3 * 4 * 5);
    SHOW(shared_line, 64);
    transpose(n, m, (double (*)[m])a, (double (*)[n])b);
    SHOW(b, (size_t)n * m);
    mirror(n, a, b);
    SHOW(a, n);
    spread(n, line, c);
    SHOW(line, 2 * n + 1);
    diagonal(n, (double (*)[n])square, b);
    SHOW(square, (size_t)n * n);
    cube(n, (float (*)[n + 1][n + 2])f);
    SHOW(f, (size_t)n * (n + 1) * (n + 2));
    product_of_lines(n, a, b, c);
    SHOW(c, 2 * n);
    few(line);
    SHOW(line, 3);
    double *rows = doubles((size_t)(n + 1) * (n + 1));
    thirds_and_halves_of_rows(n, (double (*)[n + 1])rows);
    SHOW(rows, (size_t)(n + 1) * (n + 1));
    behind_the_third(n, rows);
    behind_the_third(n / 3, rows);
    SHOW(rows, (size_t)(n + 1) * (n + 1));
    size_t half = n > 0 ? (size_t)n * (n - 1) + 1 : 0;
    double *corner = before_a_wall(half);
    half_of_a_square(n, 3, corner);
    SHOW(corner, half);
    return 0;
}
