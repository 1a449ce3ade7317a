// Two warps divide by a constant, of which nvcc computes the reciprocal: only the slow path, which does not run, has a
// special function.
__global__ void divided(float *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = (to[i] + 3) / 9;
}

int main()
{
    float *a;
    cudaMalloc(&a, 256);
    cudaMemset(a, 0, 256);
    divided<<<1, 64>>>(a);
}
