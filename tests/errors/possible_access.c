/* Nobody knows how many elements there are, as the loop may touch none. */
struct state {
    double level;
};

void possible(int n, const int *chosen, double *a, struct state *state)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (chosen[i])
            a[i] = 1.0;
        if (chosen[i] > 1)
            state->level = a[i];
    }
#pragma endscop
}

/* Where the loop touches none of them, there is nothing to do. */
void never(int n, const int *chosen, int *b, const int *c)
{
#pragma scop
    int best = 0;
    for (int i = 0; i < n; i++) {
        best = chosen[i] ? c[i] : best;
        b[i] = best;
    }
#pragma endscop
}
