#include <vector>

struct Grid {
    int n;
    double *u;
#pragma c2cuda effects reads(u[0:n])
    void clear();
    static void fill(Grid &g);
};

#pragma c2cuda effects writes(v)
void sort(std::vector<double> *v);

void Grid::clear()
{
    for (int i = 0; i < n; i++)
        u[i] = 0;
}

void f(int n, double *x)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = 0;
#pragma endscop
}
