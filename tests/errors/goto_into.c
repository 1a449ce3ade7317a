void resume(int n, int phase, double *a)
{
    if (phase > 1)
        goto second;
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0.0;
second:
    for (int i = 0; i < n; i++)
        a[i] += 1.0;
#pragma endscop
}
