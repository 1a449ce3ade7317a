static double length(double x)
{
    return sizeof(__PRETTY_FUNCTION__) * x;
}

void fill(int n, double a[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = length(i);
#pragma endscop
}
