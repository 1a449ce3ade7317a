/* Conditions leave their trace in the domains; C's division truncates. */
void conditions(int n, int c, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = -n; i < n; i++) {
        if (i % 2 == 0)
            a[i] = 1;
        else if (i > 3 && !(i == 7 || i >= n - 2))
            a[i] = 2;
        else {
            a[i] = 3;
            b[i / 4] = 4;
        }
        if (c)
            b[i] = 5;
        if (i >= 0)
            b[i / 2 + i % 4] = 6;
        if ((i >> 1) == 5 && (i & 3) == 2)
            b[i] = 7;
    }
    if (n > 10)
        b[0] = 8;
#pragma endscop
}

/* More cases than sets should have: a condition of the statement. */
void many_cases(int n, int p, double a[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if ((i + 2 * j) % 29 != (i - j + p) % 31 && (j % 3 != i % 5 || (j + p) % 37 > i % 41))
                a[i][j] = 1.0;
#pragma endscop
}

/* What does not hold falls into too many cases, although what holds does not. */
void otherwise(int m, double b[90][90])
{
#pragma scop
    for (int i = 0; i < 90; i++)
        for (int j = 0; j < 90; j++)
            if (i % 4 == 1 && j % 5 == 2 && i > m && j > m)
                b[i][j] = 1;
            else
                b[i][j] = 2;
#pragma endscop
}

/* Conditions that divide by too many numbers are steps; one that does not divide is none. */
void divisors(int m, double a[100])
{
#pragma scop
    for (int i = 0; i < 100; i++) {
        if (i % 2 == 1)
            a[i] += 2;
        if (i % 3 == 1)
            a[i] += 3;
        if (i % 5 == 1)
            a[i] += 5;
        if (i % 7 == 1)
            a[i] += 7;
        if (i % 11 == 1)
            a[i] += 11;
        if (i % 13 == 1)
            a[i] += 13;
        if (i % 17 == 1)
            a[i] += 17;
        if (i % 19 == 1)
            a[i] += 19;
        if (i > m)
            a[i] += 100;
    }
#pragma endscop
}
