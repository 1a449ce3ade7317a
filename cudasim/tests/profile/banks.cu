// Bank conflicts of shared memory, for one block.
// mode: profile
// count: transpose<32> | shared.stores | requests 32 wavefronts 32 ideal_wavefronts 32
// count: transpose<32> | shared.loads | requests 32 wavefronts 32*32 ideal_wavefronts 32
// count: transpose<33> | shared.stores | requests 32 wavefronts 32
// count: transpose<33> | shared.loads | requests 32 wavefronts 32 ideal_wavefronts 32
// count: transpose<33> | global.loads | requests 32 sectors 32*4
// count: transpose<33> | global.stores | requests 32 sectors 32*4
// count: transpose<33> | barriers 1
// count: naive | global.loads | requests 32 sectors 32*4
// count: naive | global.stores | requests 32 sectors 32*32 ideal_sectors 32*4
// count: strided<float, 1> | shared.loads | requests 1 wavefronts 1
// count: strided<float, 2> | shared.loads | requests 1 wavefronts 2
// count: strided<float, 4> | shared.loads | requests 1 wavefronts 4
// count: strided<float, 32> | shared.loads | requests 1 wavefronts 32
// count: strided<float, 33> | shared.loads | requests 1 wavefronts 1
// count: strided<double, 1> | shared.loads | requests 1 wavefronts 2 ideal_wavefronts 2
// count: strided<double, 2> | shared.loads | requests 1 wavefronts 4 ideal_wavefronts 2
// count: strided<double, 16> | shared.loads | requests 1 wavefronts 32 ideal_wavefronts 2
// count: strided<float4, 1> | shared.loads | requests 1 wavefronts 4 ideal_wavefronts 4
// count: strided<unsigned char, 1> | shared.loads | requests 1 wavefronts 1
// count: strided<float, 0> | shared.loads | requests 1 lanes 32 wavefronts 1 ideal_wavefronts 1
// count: strided<double, 0> | shared.loads | requests 1 wavefronts 1 ideal_wavefronts 1
// count: strided<float4, 0> | shared.loads | requests 1 wavefronts 2 ideal_wavefronts 2
// count: shared_by<double, 2, 1> | shared.loads | requests 1 wavefronts 1 ideal_wavefronts 1
// count: shared_by<float4, 2, 1> | shared.loads | requests 1 wavefronts 2
// count: shared_by<float4, 2, 16> | shared.loads | requests 1 wavefronts 2*8 ideal_wavefronts 2
// count: shared_by<float4, 8, 1> | shared.loads | requests 1 wavefronts 2
// count: every_other<float4> | shared.loads | requests 1 lanes 16 wavefronts 2
// count: every_third<float4> | shared.loads | requests 1 lanes 32 wavefronts 4
// count: one_counter | shared.atomics | requests 1 lanes 32 wavefronts 32 ideal_wavefronts 1
// count: many_counters | shared.atomics | requests 1 lanes 32 wavefronts 1 ideal_wavefronts 1
// count: coefficients | constant | requests 2 lanes 64 wavefronts 1+4 ideal_wavefronts 2
// count: dynamic | shared.loads | requests 1 wavefronts 8
template <int pitch>
__global__ void transpose(float *to, const float *from) {
  __shared__ float tile[32][pitch];
  tile[threadIdx.y][threadIdx.x] = from[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  to[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void naive(float *to, const float *from) {
  to[threadIdx.x * 32 + threadIdx.y] = from[threadIdx.y * 32 + threadIdx.x];
}
template <class T, int stride>
__global__ void strided(T *to) {
  __shared__ T tile[32 * stride + 1];
  to[threadIdx.x] = tile[threadIdx.x * stride];
}
template <class T, int lanes, int stride>
__global__ void shared_by(T *to) {
  __shared__ T tile[32 * stride];
  to[threadIdx.x] = tile[threadIdx.x / lanes * stride];
}
template <class T>
__global__ void every_other(T *to) {
  __shared__ T tile[32];
  if (threadIdx.x % 2) to[threadIdx.x] = tile[threadIdx.x / 4];
}
template <class T>
__global__ void every_third(T *to) {
  __shared__ T tile[32];
  to[threadIdx.x] = tile[threadIdx.x / 3];
}
__global__ void one_counter() {
  __shared__ int count;
  atomicAdd(&count, 1);
}
__global__ void many_counters() {
  __shared__ int count[32];
  atomicAdd(&count[threadIdx.x], 1);
}
__constant__ float weights[8];
__global__ void coefficients(float *to) { to[threadIdx.x] = weights[3] * weights[4 + threadIdx.x % 4]; }
__global__ void dynamic(float *to) {
  extern __shared__ float memory[];
  to[threadIdx.x] = memory[8 * threadIdx.x];
}
int main() {
  float *a, *b;
  cudaMalloc(&a, 4096), cudaMalloc(&b, 4096);
  cudaMemset(a, 0, 4096);
  transpose<32><<<1, dim3(32, 32)>>>(b, a);
  transpose<33><<<1, dim3(32, 32)>>>(b, a);
  naive<<<1, dim3(32, 32)>>>(b, a);
  strided<float, 1><<<1, 32>>>(b), strided<float, 2><<<1, 32>>>(b), strided<float, 4><<<1, 32>>>(b);
  strided<float, 32><<<1, 32>>>(b), strided<float, 33><<<1, 32>>>(b), strided<float, 0><<<1, 32>>>(b);
  strided<double, 1><<<1, 32>>>((double *)b), strided<double, 2><<<1, 32>>>((double *)b);
  strided<double, 16><<<1, 32>>>((double *)b), strided<double, 0><<<1, 32>>>((double *)b);
  strided<float4, 1><<<1, 32>>>((float4 *)b), strided<unsigned char, 1><<<1, 32>>>((unsigned char *)b);
  strided<float4, 0><<<1, 32>>>((float4 *)b);
  shared_by<double, 2, 1><<<1, 32>>>((double *)b), shared_by<float4, 2, 1><<<1, 32>>>((float4 *)b);
  shared_by<float4, 2, 16><<<1, 32>>>((float4 *)b), shared_by<float4, 8, 1><<<1, 32>>>((float4 *)b);
  every_other<float4><<<1, 32>>>((float4 *)b), every_third<float4><<<1, 32>>>((float4 *)b);
  one_counter<<<1, 32>>>(), many_counters<<<1, 32>>>();
  coefficients<<<1, 32>>>(b);
  dynamic<<<1, 32, 1024>>>(b);
  cudaFree(a), cudaFree(b);
}
