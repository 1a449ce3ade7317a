/* The head of the loop reads its bound in any case. */
void bounded(int n, double a[n], int *bound)
{
#pragma scop
    for (int i = 0; i < *bound; i++)
        a[i] = a[i] ?: 1;
#pragma endscop
}

/* In C this is a name like any other. */
static double operator(double x)
{
    return x + 1;
}

void calling(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = operator(a[i]);
#pragma endscop
}
