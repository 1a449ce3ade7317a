// The functions of effects.c.
struct grid { int n; double *u, *v; };
double first(struct grid *g) { return g->u[0]; }
void put(struct grid *g, int k, double x) { g->u[k] = x; }
double total(const struct grid *g) { double s = 0; for (int i = 0; i < g->n; i++) s += g->u[i]; return s; }
