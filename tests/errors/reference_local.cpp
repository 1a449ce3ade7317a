void f(int n, double *a)
{
    double &first = a[0];
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = first + i;
#pragma endscop
}
