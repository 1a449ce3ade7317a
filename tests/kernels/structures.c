/* Members of structures: of one, through a pointer, in arrays, and in arrays of two dimensions. */
#include "support.h"

struct point {
    double x, y;
};

struct particle {
    struct point position;
    float mass;
    short kind;
    double velocity[3];
};

struct grid {
    int rows, columns;
    double *cells;
    double edge[8];
    struct point origin;
    const struct point *nodes;
};

static struct particle swarm[6][5];
static struct grid world;

static void fill(struct grid *g, const double *restrict a)
{
#pragma scop
    for (int j = 0; j < g->rows; j++)
        for (int i = 0; i < g->columns; i++)
            g->cells[j * g->columns + i] = a[i] * g->origin.x + g->edge[3] - j;
#pragma endscop
#pragma scop
    for (int i = 0; i < 8; i++)
        g->edge[i] = g->edge[i] * 0.5 + g->nodes[i].y - g->nodes[0].x;
#pragma endscop
}

static void single(int n, struct point scale, double *restrict a)
{
    struct particle one = {{1, 2}, 3, 4, {5, 6, 7}};
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = scale.x * a[i] + i * scale.y;
    one.position.x = 0;
    for (int i = 0; i < n; i++)
        one.position.x += a[i];
    for (int k = 0; k < 3; k++)
        one.velocity[k] = one.velocity[k] * one.position.x + one.mass;
#pragma endscop
    SHOW(one.velocity, 3);
    printf("%.17g %.17g %d\n", one.position.x, one.position.y, one.kind);
}

static void move(int n, struct particle *restrict p, const struct point *restrict force)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            p[i].velocity[k] += force[i].x * k / p[i].mass;
        p[i].position.x += p[i].velocity[0];
        (p + i)->position.y += p[i].velocity[1] + force->y;
    }
#pragma endscop
}

static void spread(int n, struct point *restrict p)
{
#pragma scop
    for (int t = 0; t < 3; t++)
        for (int i = 1; i < n - 1; i++)
            p[i].y = 0.5 * (p[i - 1].y + p[i + 1].y) + p[i].x;
#pragma endscop
}

static void table(void)
{
#pragma scop
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 5; j++) {
            swarm[i][j].kind = i - j;
            swarm[i][j].position.y = swarm[i][j].kind * world.origin.x;
        }
    for (int i = 0; i < world.rows; i++) {
        struct point here;
        here.x = i;
        here.y = here.x * 2;
        world.edge[i % 8] += here.y - here.x;
    }
#pragma endscop
}

static void flat(int n, int m, struct point *restrict p)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            p[i * m + j].x = p[i * m + j].y * i - j;
#pragma endscop
}

/* The host runs the loop in the middle; it looks for its structures by data. */
static void looked_up(int n, struct particle p[n], const int *restrict which, long double *restrict sum)
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[i].mass = p[i].mass * 2 + which[i];
    for (int i = 0; i < n; i++) {
        sum[i] += p[which[i]].mass;
        p[which[i]].velocity[which[i] % 3] += (double)sum[i];
    }
    for (int i = 0; i < n; i++)
        p[i].mass -= p[i].velocity[i % 3];
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = size_of_run(argc, argv), m = n + 3;
    struct point *nodes = allocate(n * m + 8, sizeof *nodes);
    double *a = doubles(n + m);
    for (int i = 0; i < n * m + 8; i++)
        nodes[i] = (struct point){i * 0.5, 1.0 / (i + 1)};
    world = (struct grid){n, m, doubles(n * m), {1, 2, 3, 4, 5, 6, 7, 8}, {0.5, 0.25}, nodes};
    fill(&world, a);
    SHOW(world.cells, n * m);
    SHOW(world.edge, 8);

    single(n, nodes[3], a);
    SHOW(a, n);

    struct particle *p = allocate(n, sizeof *p);
    for (int i = 0; i < n; i++)
        p[i].mass = i + 1;
    move(n, p, nodes);
    SHOW(p, n);
    int *which = allocate(n, sizeof *which);
    long double *sum = allocate(n, sizeof *sum);
    for (int i = 0; i < n; i++)
        which[i] = (i * 7 + 1) % n;
    looked_up(n, p, which, sum);
    SHOW(p, n);

    spread(n, nodes);
    flat(n, m, nodes);
    SHOW(nodes, n * m);

    table();
    SHOW(&swarm[0][0], 30);
    SHOW(world.edge, 8);
    return 0;
}
