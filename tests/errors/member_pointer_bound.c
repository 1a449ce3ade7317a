struct box { int n; int *cells; };

void clear(struct box *b)
{
#pragma scop
    for (int i = 0; i < b->n; i++)
        b->cells[i] = 0;
#pragma endscop
}
