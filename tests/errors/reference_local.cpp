void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double &element = a[i];
        element = i;
    }
#pragma endscop
}
