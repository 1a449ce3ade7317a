#define AT(i, j) m[(i) * (j)]

void fill(int n, double *m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            AT(i, j) = 1.0;
#pragma endscop
}
