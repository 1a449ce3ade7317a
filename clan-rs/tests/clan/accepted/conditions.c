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
