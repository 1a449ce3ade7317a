int positive(int n, double *restrict out, const double *restrict in)
{
    int k = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (in[i] > 0.0)
            out[k++] = in[i];
#pragma endscop
    return k;
}
