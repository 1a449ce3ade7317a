/* The declaration of a parameter says how many elements there are behind the address that it was called with, and
 * nothing of those behind the address that it has when the region begins. */
void one_based(int n, double y[n], const double x[n], const int ix[n])
{
    y--;
#pragma scop
    for (int i = 0; i < n; i++)
        y[ix[i]] = x[i];
#pragma endscop
}

double by_constant(const double a[12], const int ix[12])
{
    double sum = 0;
    if (ix[0] > 3)
        a = a - 3;
#pragma scop
    for (int i = 0; i < 12; i++)
        sum += a[ix[i]];
#pragma endscop
    return sum;
}

void by_address(int n, double a[n], const int used[n], double o[n])
{
    double **where = &a;
    *where += 3;
#pragma scop
    for (int i = 0; i < n; i++)
        if (used[i])
            o[i] += a[i];
#pragma endscop
}

void step_by_step(int n, double a[n], const int ix[n], double o[n])
{
    for (int step = 0; step < 3; step++) {
#pragma scop
        for (int i = 0; i < n; i++)
            o[i] += a[ix[i]];
#pragma endscop
        a++;
    }
}
