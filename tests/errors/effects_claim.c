#pragma c2cuda effects reads(x[0:n])
void twice(int n, double *x);

static double other[9];

void twice(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] *= 2;
}

void run(int n, double *u)
{
#pragma scop
    for (int i = 0; i < 9; i++)
        other[i] = u[i];
#pragma endscop
}
