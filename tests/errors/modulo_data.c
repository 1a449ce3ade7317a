void hash(int n, int *restrict table, const unsigned *restrict keys)
{
#pragma scop
    for (int i = 0; i < n; i++)
        table[keys[i] % 64] += 1;
#pragma endscop
}
