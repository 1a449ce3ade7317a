/* Each thread reads what those behind it copy. */
void right(int n, double a[n + 2], double b[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i + 1] + a[i + 2];
#pragma endscop
}
