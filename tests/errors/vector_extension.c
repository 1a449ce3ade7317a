typedef float float4 __attribute__((vector_size(16)));

void add(int n, float4 *restrict a, const float4 *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] += b[i];
#pragma endscop
}
