void scalars(int n, double *x, double *e)
{
    double a, b, c, d;
#pragma scop
    a = n;
    b = a * a;
    c = x[0];
    d = c + b;
    for (int i = 0; i < n; i++)
        x[i] = b * x[i] + d;
    *e = b;
#pragma endscop
}
