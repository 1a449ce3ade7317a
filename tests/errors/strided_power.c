void fft_pass(int n, double *re)
{
#pragma scop
    for (int half = 1; half < n; half <<= 1)
        for (int i = 0; i < n; i += 2 * half)
            re[i + half] -= re[i];
#pragma endscop
}
