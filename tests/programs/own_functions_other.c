extern double A[40];

int is_infinite(double x)
{
    A[5] += x;
    return (int)(1000 * A[3]);
}

double trunc(double x)
{
    A[5] += x;
    return 1000 * A[3];
}
