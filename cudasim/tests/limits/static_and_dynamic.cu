// Static and dynamic shared memory have a limit together: 48 KB, or 227 KB if the dynamic part was raised.
// output: 0 1 0 1 1 0 1
// output: 8192 8192 0
// output: 40960 25
__device__ float helper(float v) {
  __shared__ float s[1024];
  s[threadIdx.x] = v;
  __syncthreads();
  return s[threadIdx.x ^ 1];
}
template <class T>
__global__ void k(T *a) {
  __shared__ float t[1024];
  t[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = helper(t[threadIdx.x]);
}
__global__ void none() {}
int main() {
  float *a;
  cudaMalloc(&a, 128), cudaMemset(a, 0, 128);
  auto error = [&](size_t dynamic) {
    k<float><<<1, 32, dynamic>>>(a);
    return int(cudaGetLastError());
  };
  const int kb = 1024;
  printf("%d %d ", error(40 * kb), error(40 * kb + 1));
  k<<<1, 32, 40 * kb>>>(a), printf("%d ", cudaGetLastError());
  k<<<1, 32, 40 * kb + 1>>>(a), printf("%d ", cudaGetLastError());
  printf("%d ", cudaFuncSetAttribute(k<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 219 * kb + 1));
  cudaGetLastError();
  cudaFuncSetAttribute(k<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 219 * kb);
  printf("%d %d\n", error(219 * kb), error(219 * kb + 1));
  cudaFuncAttributes attributes, raised, without;
  cudaFuncGetAttributes(&raised, k<float>), cudaFuncGetAttributes(&attributes, k<int>);
  cudaFuncGetAttributes(&without, none);
  printf("%zu %zu %zu\n", raised.sharedSizeBytes, attributes.sharedSizeBytes, without.sharedSizeBytes);
  int blocks;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k<int>, 64, 0);
  printf("%d %d\n", attributes.maxDynamicSharedSizeBytes, blocks);
  cudaFree(a);
}
