/* A kernel in a loop of the host reads what the launch before it wrote. */
void steps(int n, double a[n], double b[n])
{
#pragma scop
    for (int t = 0; t < n; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
#pragma endscop
}
