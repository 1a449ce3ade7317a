struct size {
    int n;
};

static struct size all = { 5 };
static int b[9];

/* The caller may give `&all`. */
void count(struct size *p)
{
#pragma scop
    for (int i = 0; i < p->n; i++)
        b[i] = i + 1;
    all.n = 0;
    for (int i = 0; i < p->n; i++)
        b[i] = b[i] * 10;
#pragma endscop
}
