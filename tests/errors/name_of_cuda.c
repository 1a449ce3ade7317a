static double cudaFree[100];

extern double cudaMemcpy[100];

double cudaMalloc[100];

void cudaGetLastError(void)
{
    cudaMalloc[0] = cudaFree[0] + cudaMemcpy[0];
}

void scale(int n, double a[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 2.0 * a[i];
#pragma endscop
}
