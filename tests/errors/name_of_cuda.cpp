namespace mine {
double cudaFree[100];
}

double cudaMalloc[100];

int cudaMemcpy(int which) { return which; }

extern "C" double cudaGetLastError(void) { return cudaMalloc[cudaMemcpy(0)] + mine::cudaFree[0]; }

void scale(int n, double *__restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 2.0 * a[i];
#pragma endscop
}
