struct g { int n; double x[8]; };
void f(struct g *s, int *p)
{
#pragma scop
    for (int i = 0; i < s->n; i++)
        p[i] = 5;
#pragma endscop
}
