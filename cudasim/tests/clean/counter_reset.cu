// output: 4096
// output: 4096
// Atomic operations and plain accesses to the same counter, ordered by fences and barriers: the last
// block adds up what the others have left, and puts the counter back to zero.
__device__ unsigned arrived;

__global__ void sum(const int *in, int *parts, int *total) {
  __shared__ int part;
  __shared__ bool is_last;
  if (threadIdx.x == 0) part = 0;
  __syncthreads();
  atomicAdd(&part, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = part;
    __threadfence();
    is_last = atomicAdd(&arrived, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  *total = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) *total += parts[i];
  arrived = 0;
}

int main() {
  const int n = 2048;
  int host[n], *in, *parts, *total;
  for (int &x : host) x = 2;
  cudaMalloc(&in, sizeof host), cudaMalloc(&parts, 32 * sizeof(int)), cudaMalloc(&total, sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  for (int round = 0; round < 2; ++round) {
    sum<<<32, 64>>>(in, parts, total);
    cudaMemcpy(host, total, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
  }
  cudaFree(in), cudaFree(parts), cudaFree(total);
}
