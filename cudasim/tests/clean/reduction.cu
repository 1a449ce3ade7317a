// Sums in the style of the CUDA samples: dynamic shared memory of any type, grid-stride loops, warp shuffles at the end.
// output: 523776 523776 4950.5 32
#include <cstdio>
template <class T> struct SharedMemory {
  __device__ inline operator T *() { extern __shared__ int __smem[]; return (T *)__smem; }
  __device__ inline operator const T *() const { extern __shared__ int __smem[]; return (T *)__smem; }
};
template <typename T> __device__ __forceinline__ T warpReduceSum(unsigned mask, T mySum) {
#pragma unroll
  for (int offset = warpSize / 2; offset > 0; offset /= 2) mySum += __shfl_down_sync(mask, mySum, offset);
  return mySum;
}
template <typename T, unsigned int blockSize, bool nIsPow2>
__global__ void __launch_bounds__(blockSize) reduce(const T *__restrict__ g_idata, T *__restrict__ g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x, gridSize = blockSize * gridDim.x;
  unsigned int maskLength = (blockSize & 31);
  maskLength = (maskLength > 0) ? (32 - maskLength) : maskLength;
  const unsigned int mask = (0xffffffff) >> maskLength;
  T mySum = 0;
  if (nIsPow2) {
    unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
    gridSize = gridSize << 1;
    while (i < n) {
      mySum += g_idata[i];
      if ((i + blockSize) < n) mySum += g_idata[i + blockSize];
      i += gridSize;
    }
  } else {
    for (unsigned int i = blockIdx.x * blockSize + threadIdx.x; i < n; i += gridSize) mySum += g_idata[i];
  }
  mySum = warpReduceSum<T>(mask, mySum);
  if ((tid % warpSize) == 0) sdata[tid / warpSize] = mySum;
  __syncthreads();
  const unsigned int shmem_extent = (blockSize / warpSize) > 0 ? (blockSize / warpSize) : 1;
  const unsigned int ballot_result = __ballot_sync(mask, tid < shmem_extent);
  if (tid < shmem_extent) {
    mySum = sdata[tid];
    mySum = warpReduceSum<T>(ballot_result, mySum);
  }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}
// The classic tree in shared memory.
template <class T> __global__ void reduce2(T *g_idata, T *g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? g_idata[i] : 0;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}
template <class T> T total(const T *parts, int blocks) {
  T sum = 0;
  for (int i = 0; i < blocks; ++i) sum += parts[i];
  return sum;
}
int main() {
  int h[1024], *in, *out, parts[8];
  for (int i = 0; i < 1024; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h), cudaMalloc(&out, sizeof parts);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  int smemSize = ((128 / 32) + 1) * sizeof(int);
  reduce<int, 128, true><<<dim3(4, 1, 1), dim3(128, 1, 1), smemSize>>>(in, out, 1024);
  cudaMemcpy(parts, out, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d ", total(parts, 4));
  reduce2<<<8, 128, 128 * sizeof(int)>>>(in, out, 1024);
  cudaMemcpy(parts, out, sizeof parts, cudaMemcpyDeviceToHost);
  printf("%d ", total(parts, 8));
  double d[100], *din, *dout, dparts[2];
  for (int i = 0; i < 100; ++i) d[i] = i + 0.005;
  cudaMalloc((void **)&din, sizeof d), cudaMalloc((void **)&dout, sizeof dparts);
  cudaMemcpy(din, d, sizeof d, cudaMemcpyHostToDevice);
  reduce<double, 64, false><<<2, 64, 3 * sizeof(double)>>>(din, dout, 100);
  cudaMemcpy(dparts, dout, sizeof dparts, cudaMemcpyDeviceToHost);
  printf("%g %d\n", total(dparts, 2), warpSize);
  cudaFree(in), cudaFree(out), cudaFree(din), cudaFree(dout);
}
