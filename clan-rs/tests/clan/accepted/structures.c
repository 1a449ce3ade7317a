/* Members of structures: of one, through a pointer, and in arrays. */
struct point { double x, y; };
struct particle { struct point pos; float mass; int kind; double v[3]; };
struct grid { int nx, ny; double *cells; double edge[8]; struct point origin; const struct point *nodes; };

static struct grid world;
static struct particle swarm[4][5];

void single(int n, double *restrict a)
{
    struct point p = {1, 2};
    struct particle q;
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = p.x + i * p.y;
    q.pos.x = a[0];
    for (int i = 0; i < 3; i++)
        q.v[i] = a[i] + q.pos.x;
#pragma endscop
    a[0] = q.v[0] + q.pos.x;
}

void pointer(struct grid *restrict g, double *restrict a)
{
#pragma scop
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++)
            g->cells[j * g->nx + i] = a[i] + g->origin.x + g->edge[3];
    for (int i = 0; i < 8; i++)
        g->edge[i] += g->nodes[i].y;
#pragma endscop
}

void array(int n, struct particle *restrict p, struct point *restrict f)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        p[i].pos.x += p[i].v[0] / p[i].mass;
        for (int k = 0; k < 3; k++)
            p[i].v[k] = f->x * k + (f + i)->y;
    }
#pragma endscop
}

void table(void)
{
#pragma scop
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            swarm[i][j].pos.y = swarm[i][j].kind * world.origin.x;
    for (int i = 0; i < world.nx; i++) {
        struct point here;
        here.x = i;
        here.y = here.x * 2;
        world.edge[0] += here.y;
    }
#pragma endscop
}

void flat(int n, int m, struct point *p)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            p[i * m + j].x = (*p).y;
#pragma endscop
}

/* Each begins with another operand, or ends with a subscript 0. */
void first(int n, struct point *p, struct point (*rows)[4], double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = (i + p)->x + rows[0][0].y;
#pragma endscop
}
