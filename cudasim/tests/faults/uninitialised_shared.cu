// mode: check
// finding: uninitialised_shared.cu:[78]: kernel 'half', block \(0,0,0\) thread \(4,0,0\): read of element 4 of shared 'tile', which has no value yet
__global__ void half(int *a) {
  __shared__ int tile[8];
  if (threadIdx.x < 4) tile[threadIdx.x] = 1;
  __syncthreads();
  if (blockIdx.x < 2) a[blockIdx.x * 8 + threadIdx.x] =
      tile[threadIdx.x];
}
int main() {
  int *a;
  cudaMalloc(&a, 64);
  half<<<2, 8>>>(a);
  cudaFree(a);
}
