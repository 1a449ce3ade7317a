static int calls;

static double counted(double x)
{
    calls++;
    return x * x;
}

void squares(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = counted(a[i]);
#pragma endscop
}
