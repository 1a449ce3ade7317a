struct particle { double x, v; };

void restore(int n, struct particle *restrict now, const struct particle *restrict before)
{
#pragma scop
    for (int i = 0; i < n; i++)
        now[i] = before[i];
#pragma endscop
}
