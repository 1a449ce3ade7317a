extern double table[];

void look(int n, double *restrict out, const unsigned char *restrict index)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = table[index[i]];
#pragma endscop
}
