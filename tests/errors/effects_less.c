struct grid {
    int n;
    double *u, *v;
};

#pragma c2cuda effects writes(g->u[0:g->n])
void copy(struct grid *g)
{
    for (int i = 0; i < g->n; i++)
        g->u[i] = g->v[i];
}

void f(int n, double *x)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = 0;
#pragma endscop
}
