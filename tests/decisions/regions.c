/* Regions between which the tools have to tell: each differs from one for which the decision would be another. */

/* Four loops that only a wavefront runs in parallel: the first is not tiled. */
void deep_wavefront(int n, int steps, float a[n][n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    a[i][j][k] = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k + 1];
#pragma endscop
}

/* No tile of registers: nothing is added up. */
void no_sum(int n, double a[restrict n][n][n], double b[restrict n][n], double c[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 1; k < n; k++)
                a[i][j][k] = a[i][j][k - 1] * 0.5 + b[i][k] * c[j][k];
#pragma endscop
}

/* No tile of registers: the points of one side alone share an operand. */
void one_operand(int n, double c[restrict n][n], double a[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * 0.5;
#pragma endscop
}

/* No tile of registers: what the points of the other side share is read once. */
void steady_operand(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[j];
#pragma endscop
}

/* No tile of registers: the points take different numbers of steps. */
void triangular_product(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < i; k++)
                c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}

/* No tile of registers: there are three parallel loops. */
void product_of_three(int n, double d[restrict n][n][n], double a[restrict n][n], double b[restrict n][n],
                      double c[restrict n][n])
{
#pragma scop
    for (int l = 0; l < n; l++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < n; k++)
                    d[l][i][j] += a[l][k] * b[i][k] * c[j][k];
#pragma endscop
}

/* Either loop suits warps as well as the other: it is the inner one. */
void transposed(int n, double a[restrict n][n], double b[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = b[j][i];
#pragma endscop
}

/* Rows are as contiguous from their ends as from their beginnings. */
void backwards(int n, double a[restrict n][n])
{
#pragma scop
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            a[i][n - 1 - j] = 1;
#pragma endscop
}

/* Adjacent elements are better than the same for all: warps run along i. */
void adjacent_or_same(int n, double u[restrict 2 * n][2 * n], double p[restrict n], double q[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            u[2 * i][2 * j] = p[i] + q[i];
#pragma endscop
}

/* Only all accesses together say that warps run along j. */
void outvoted(int n, double u[restrict n][n], double v[restrict n][n], double w[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            w[j][i] = v[i][j] + u[i][j];
#pragma endscop
}

/* Of four parallel loops the one with adjacent elements is the second. */
void four_parallel_loops(int n, double a[restrict n][n][n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int l = 0; l < n; l++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < n; k++)
                    a[i][j][k][l] *= 2;
#pragma endscop
}

/* Of these it is the last. */
void in_their_order(int n, double a[restrict n][n][n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    a[i][j][k][l] *= 2;
#pragma endscop
}

/* One kernel for a short loop and a longer one: tiles are for the longer. */
void short_and_longer(double a[restrict 2][100], double b[restrict 8])
{
#pragma scop
    for (int i = 0; i < 100; i++) {
        if (i < 8)
            b[i] = 2;
        a[0][i] = 1;
        a[1][i] = 3;
    }
#pragma endscop
}

/* The same with a loop of unknown length. */
void short_and_unknown(int n, double a[restrict 2][n], double b[restrict 8])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[0][i] = 1;
        if (i < 8)
            b[i] = 2;
        a[1][i] = 3;
    }
#pragma endscop
}

/* Threads that two short loops leave go to the third axis, of which no block has more than 64. */
void two_short_loops(double a[restrict 500][2][2])
{
#pragma scop
    for (int i = 0; i < 500; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                a[i][j][k] *= 2;
#pragma endscop
}

/* What has no effect keeps nothing on the host. */
void dead_on_host(int n, double a[restrict n], double b[restrict n])
{
#pragma scop
    double unused[n];
    for (int i = 0; i < n; i++)
        unused[i] = (double)((long double)a[i] / 3);
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 0.5;
    for (int i = 0; i < n; i++)
        a[i] = b[i] + 1;
#pragma endscop
}

/* All of it stays on the host. */
void host_alone(int n, double a[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = (double)((long double)a[i] / 3);
#pragma endscop
}

/* The later loop is a wavefront, the first needs none. */
void two_nests(int n, double a[restrict n], double b[restrict n])
{
#pragma scop
    for (int t = 0; t < n; t++) {
        for (int i = 1; i < n; i++)
            a[i] += b[i] * t;
        for (int i = 1; i < n - 1; i++)
            b[i] = b[i - 1] + b[i] + b[i + 1];
    }
#pragma endscop
}

/* More operands of a thread than registers are given to. */
void many_operands(int n, double s[restrict n], double x[restrict n][n], double a[restrict n][20])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            s[i] += x[k][i] * (a[i][0] + a[i][1] + a[i][2] + a[i][3] + a[i][4] + a[i][5] + a[i][6] + a[i][7] + a[i][8]
                               + a[i][9] + a[i][10] + a[i][11] + a[i][12] + a[i][13] + a[i][14] + a[i][15] + a[i][16]);
#pragma endscop
}

/* An operand that is read twice is in one register, and one that is read perhaps in none. */
void operands(int n, double s[restrict n], double x[restrict n][n], double a[restrict n], double b[restrict n],
              int at[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            s[i] += x[k][i] * a[i] + a[i];
            if (at[k])
                s[i] += b[i];
        }
#pragma endscop
}

/* Rows that data choose: of the box of a tile little would stay for the next. */
void chosen_rows(int n, double s[restrict n], double a[restrict n][n], int at[restrict n])
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            if (at[i])
                s[i] += a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
#pragma endscop
}

/* Arguments have room for two of the three tables. */
void three_tables(int n, double y[restrict n], double t[restrict 120], double u[restrict 120], double v[restrict 120])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 120; k++)
            y[i] = y[i] * t[k] + u[k] * v[k];
#pragma endscop
}

/* A table at a place that only a parameter says is no argument. */
void moved_table(int n, int m, double y[restrict n], double t[restrict n + 9])
{
#pragma scop
    if (m >= 0 && m <= n)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 9; k++)
                y[i] = y[i] * 0.5 + t[m + k];
#pragma endscop
}

/* In each round, a table that is too large for an argument, and an array that code on the host uses as well. */
void rounds(int n, int times, double y[restrict n], double a[restrict n], double t[restrict 400])
{
    for (int r = 0; r < times; r++) {
#pragma scop
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 400; k++)
                y[i] = y[i] * 0.5 + t[k];
        for (int i = 0; i < n; i++)
            a[i] += y[i];
        for (int i = 0; i < n; i += 2)
            a[i] = (double)((long double)a[i] / 3);
#pragma endscop
    }
}

/* Two boxes would be hardly less than a slice. */
void two_parts(int n, double a[restrict n])
{
#pragma scop
    for (int i = 0; i < n / 2; i++)
        a[i] *= 2;
    for (int i = n / 2 + 3; i < n; i++)
        a[i] *= 3;
#pragma endscop
}

/* Two boxes are much less than a slice. */
void two_ends(int n, double a[restrict n])
{
#pragma scop
    for (int i = 0; i < n / 5; i++)
        a[i] *= 2;
    for (int i = n - n / 5; i < n; i++)
        a[i] *= 3;
#pragma endscop
}

/* A temporary that never leaves the registers has no memory on the device. */
void own_registers(int n, double x[restrict n], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < 10; k++)
            sum = sum * 0.5 + x[i];
        y[i] = sum;
    }
#pragma endscop
}

/* What each thread touches once is in no register, and what it reads and writes is. */
void touched_once(int n, double x[restrict n], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = 1;
        y[i] = y[i] * 0.5 + x[i];
    }
#pragma endscop
}

/* Between two regions that run once, an array of which little is used moves rather than stays. */
void diagonal_twice(int n, double a[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i][i] *= 2;
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++)
        a[i][i] += 1;
#pragma endscop
}

/* Numbered elements: six summands say where one is. */
void corner(int n, double a[restrict n][n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k <= j; k++)
                a[i][j][k] *= 2;
#pragma endscop
}

/* Slices: more summands than an access is worth. */
void opposite_corner(int n, double a[restrict n][n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            for (int k = j; k < n; k++)
                a[i][j][k] *= 2;
#pragma endscop
}

/* Slices: a position of the fourth degree. */
void corner_of_four_dimensions(int n, double a[restrict n][n][n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k <= j; k++)
                for (int l = 0; l <= k; l++)
                    a[i][j][k][l] *= 2;
#pragma endscop
}
