static int odd(int k);
static int even(int k) { return k == 0 ? 1 : odd(k - 1); }
static int odd(int k) { return k == 0 ? 0 : even(k - 1); }

void parity(int n, int *p)
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[i] = even(i);
#pragma endscop
}
