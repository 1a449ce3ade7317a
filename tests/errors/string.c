void hex(int n, char *restrict out, const int *restrict in)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = "0123456789abcdef"[in[i] & 15];
#pragma endscop
}
