/* Products of integers, and what is the same one. */
struct size { int rows, columns; };

void several(int n, int m, long k, unsigned u, unsigned w, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n * m; i++)
        a[i] = 1;
    for (int i = 0; i < m * n; i++)
        a[i] += 2;
    for (long i = 0; i < n * k; i++)
        a[i] += 3;
    for (long i = 0; i < (long)n * m; i++)
        a[i] += 4;
    for (long i = 0; i < k * (n * m); i++)
        a[i] += 5;
    for (unsigned i = 0; i < u * w; i++)
        a[i] += 6;
    for (int i = 0; i < (n - 1) * -m; i++)
        b[i] = 7;
    for (int i = 0; i < 3 * n; i++)
        b[i] += 8;
    for (long i = 0; i < (long)u * k; i++)
        b[i] += 9;
#pragma endscop
}

void named(int n, int m, double *restrict a)
{
#pragma scop
    for (int t = 0; t < 9; t++) {
        int wide = n + 1;
        short narrow = n + 2;
        for (int j = 0; j < wide * m; j++)
            a[j] += 1;
        for (int j = 0; j < narrow * m; j++)
            a[j] += 2;
    }
#pragma endscop
}

void of_members(struct size size, const struct size *restrict other, double *restrict a)
{
#pragma scop
    for (int i = 0; i < size.rows * size.columns; i++)
        a[i] = 1;
    for (int i = 0; i < other->rows * other->columns; i++)
        a[i] += 2;
#pragma endscop
}

enum { LESS = -3 };

void of_constants(int n, int m, double *restrict a)
{
    const int three = 3;
#pragma scop
    for (int i = 0; i < (n - -LESS) * m; i++)
        a[i] = 1;
    for (int i = 0; i < (n - three) * m; i++)
        a[i] += 2;
#pragma endscop
}
