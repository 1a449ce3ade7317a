template <typename T>
T half = T(0.5);

double half_of(double x);
int half_of(int x);

void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = half<double> + half_of(a[i]) + half_of(i);
#pragma endscop
}
