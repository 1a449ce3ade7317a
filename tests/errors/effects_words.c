#pragma c2cuda effects reads(y[0:n]) writs(x)
double total(int n, const double *x);
#pragma c2cuda effects writes(x[0:)
void fill(int n, double *x);
static double u[9], v[9];

void f(int n)
{
#pragma scop
    for (int i = 0; i < 9; i++)
        v[i] = u[i];
#pragma endscop
    total(n, v);
}
