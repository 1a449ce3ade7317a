void step(int n, const double *restrict old, double *restrict new)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        new[i] = (old[i - 1] + old[i] + old[i + 1]) / 3;
#pragma endscop
}

void add(int n, double *u, double c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] += c;
#pragma endscop
}

double first(const double *u) { return u[0]; }
