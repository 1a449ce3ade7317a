void smooth(int n, double a[n], double b[n])
{
#pragma scop
#pragma c2cuda independent
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] * 0.5 + b[i];
#pragma endscop
}
