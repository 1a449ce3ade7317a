/* The outer condition is asked again with what the inner loop has left in j. */
int rounds(int n, int m, int *a)
{
    int i, j = m;
#pragma scop
    for (i = 0; i < j; i++)
        for (j = 0; j < n; j++)
            a[i] += j + 1;
#pragma endscop
    return 100 * i + j;
}
