double total(int n, const double *a)
{
#pragma scop
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i];
#pragma endscop
    return sum;
}
