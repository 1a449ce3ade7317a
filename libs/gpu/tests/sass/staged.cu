// A tile with its borders is copied in by loops whose trip counts depend on the thread: 1.5 and 1.5 on average, and 2.
// nvcc has unrolled the innermost one by four and more, which never runs. Then steps, of which each has a barrier.
__global__ void staged(const float *from, float *to, int n, int steps)
{
    __shared__ float tile[6][6][34];
    for (int z = threadIdx.z; z < 6; z += 4)
        for (int y = threadIdx.y; y < 6; y += 4)
            for (int x = threadIdx.x; x < 34; x += 32)
                tile[z][y][x] = from[(z * n + y) * n + x];
    __syncthreads();
    float sum = 0;
    for (int step = 0; step < steps; step++) {
        if (step + threadIdx.x < 60)
            sum += tile[threadIdx.z][threadIdx.y + 1][(step + threadIdx.x) % 34];
        __syncwarp();
    }
    to[(threadIdx.z * 4 + threadIdx.y) * 32 + threadIdx.x] = sum;
}

int main()
{
    const int n = 40;
    float *from, *to;
    cudaMalloc(&from, sizeof(float) * n * n * 6);
    cudaMalloc(&to, sizeof(float) * 512);
    cudaMemset(from, 0, sizeof(float) * n * n * 6);
    staged<<<1, dim3(32, 4, 4)>>>(from, to, n, 23);
    cudaDeviceSynchronize();
}
