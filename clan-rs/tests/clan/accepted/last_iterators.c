/* Values of iterators behind their loops, each seen from one place. */

/* The inner loop may not run. */
void inner(int n, int m, int *restrict a, int *restrict b)
{
    int i, j = 5;
#pragma scop
    for (i = 0; i < n; i++) {
        for (j = m; j > i; j -= 2)
            a[j] = i;
        b[i] = j;
    }
    b[0] += i + j;
#pragma endscop
}

/* What a step leaves is not known, but before it. */
void steps(int n, const int c[restrict 100], int *restrict b)
{
    int i, k;
#pragma scop
    for (i = 0; i < n; i++)
        b[i] = 1;
    b[0] = i;
    k = i;
    for (i = 3; i < 9; i++)
        if (c[i] > k)
            b[i] += 1;
    b[1] = i;
#pragma endscop
}

/* A declared iterator begins where another one ended. */
void begins(int n, int *restrict a, int *restrict b)
{
    int i;
#pragma scop
    for (i = 0; i < n; i += 3)
        a[i] = 1;
    for (int k = i; k < 90; k++)
        b[k] = 2;
#pragma endscop
}

/* Set in one branch, or in both. */
int branches(int n, int *restrict a, int *restrict b)
{
    int i = 2, j = 2;
#pragma scop
    if (n > 4)
        for (i = 0; i < n; i++)
            a[i] = 1;
    b[0] = i;
    if (n > 6) {
        for (j = n; j >= 0; j--)
            a[j] += 1;
    } else {
        for (j = 1; j < 7; j++)
            a[j] += 2;
    }
    b[1] = j;
#pragma endscop
    return i;
}

/* From one iteration to the next. */
void carried(int n, int *restrict a, int *restrict b)
{
    int i, t;
#pragma scop
    for (t = 0; t < n; t++) {
        if (t > 0)
            b[t] = i;
        for (i = t; i < 9; i += 4)
            a[i] += 1;
        if (t == 7)
            for (i = 20; i < 22; i++)
                a[i] = t;
    }
    b[0] = t;
#pragma endscop
}

/* Downwards, where the last iteration has the smallest value. */
void downwards(int n, int *restrict a, int *restrict b)
{
    int i, t;
#pragma scop
    for (t = n; t > 0; t--) {
        for (i = 0; i < t; i++)
            a[i] += 1;
        b[t] = i;
    }
    b[0] = i + t;
#pragma endscop
}

unsigned narrow(unsigned char n, short m, char *restrict a)
{
    unsigned char c;
    short s;
    long l;
#pragma scop
    for (c = 0; c < n; c++)
        a[c] = 1;
    for (s = 3; s < m; s += 4)
        a[s] = 2;
    for (l = m; l < 90; l += 7)
        a[0] += 3;
#pragma endscop
    return c + s + l;
}

/* A parameter has a name that the translation would like to use. */
void taken(int n, int m, int iterator_0, int *restrict a, int *restrict last)
{
    int i;
#pragma scop
    for (int j = 0; j < m; j++) {
        for (i = iterator_0; i < n; i++)
            a[i] = 0;
        last[j] = i;
    }
#pragma endscop
}

/* Constants that do not fit into the type of the other value, and types that C promotes. */
void types(int n, int m, short low, short high, long *restrict a, char *restrict c)
{
    long l;
    int i;
#pragma scop
    if (n > 5)
        for (l = 0; l < m; l++)
            c[l] = 0;
    else
        for (l = 0; l < 3000000000; l++)
            a[0] += 1;
    a[1] = l;
    if (n == 6)
        for (l = 0; l < m; l++)
            c[l] = 0;
    else
        for (l = 0; l < 3000000000; l++)
            a[0] += 1;
    a[2] = l;
    for (i = low; i < high; i++)
        a[3] += i;
    a[4] = i;
    for (i = low; i < 7; i++)
        a[5] += i;
    a[6] = i;
#pragma endscop
}

/* What an iterator begins with the round before has left. */
void rounds(int m, int n, int *restrict a)
{
    int i;
    for (int r = 0; r < m; r++) {
#pragma scop
        if (r > 0)
            a[0] = i;
        for (i = 0; i < n; i++)
            a[i] += 1;
#pragma endscop
    }
}

/* A loop that begins by setting something else uses it. */
void begun(int n, int *restrict a)
{
    int i;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = 0;
    for (a[i] = 0; a[0] < 3; a[0]++)
        a[1] += 1;
#pragma endscop
}
