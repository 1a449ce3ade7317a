// What warps execute of each line: visits, floating-point operations, and what a GPU expands.
// mode: profile
// count: sums:24 | executions 3*10
// count: sums:25 | executions 3*10
// count: sums:25 | operations | fp32_sums 3*10 fp32_products 3*10 fp64_sums 0 library 0
// count: sums:25 | global.loads | requests 3*10 width_bytes 3*10*4
// count: sums:26 | executions 3
// count: sums:26 | operations | fp32_sums 0 fp64_products 3 fp64_sums 3 library 0
// count: divides:30 | operations | library 1 fp32_sums 1
// count: divides:31 | operations | library 1
// count: half<true>:35 | executions 1
// count: half<true>:35 | operations | fp32_products 1
// count: half<false>:35 | operations | fp32_products 2
// count: vectors:40 | global.loads | requests 1 width_bytes 16
// count: vectors:40 | shared.stores | requests 1 width_bytes 16
// count: vectors:41 | operations | library 0
// count: vectors:41 | barriers 1
// count: calls:45 | executions 2
// count: calls:45 | operations | fp32_sums 2
// count: one_line:52 | executions 7
// count: one_line:53 | executions 1
__global__ void sums(float *to, double *wide, const float *from, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += from[k] * 3;
  wide[threadIdx.x] = wide[threadIdx.x] * 3 - n;
  to[threadIdx.x] = sum;
}
__global__ void divides(float *to, float a) {
  to[threadIdx.x] = (to[threadIdx.x] + a) / a;
  to[threadIdx.x + 32] = sinf(a);
}
template <bool CACHED>
__global__ void half(float *to) {
  to[threadIdx.x] *= 0.5f;
}
__global__ void vectors(float4 *to) {
  __shared__ float4 kept[32];
  int i = threadIdx.x;
  kept[i] = to[i];
  __syncthreads();
  to[31 - i] = kept[31 - i];
}
__device__ __noinline__ void part(float *to) {
  to[threadIdx.x] += 1;
}
__global__ void calls(float *to) {
  if (threadIdx.x < 5) part(to);
  else part(to + 64);
}
__global__ void one_line(float *to, int n) {
  for (int k = 0; k < n; ++k) to[k * 32 + threadIdx.x] = 0;
  to[threadIdx.x] = n > 3 && to[threadIdx.x + 32] > 0 && to[threadIdx.x + 64] > 1 ? to[threadIdx.x] : n;
}
int main() {
  float *a;
  double *b;
  cudaMalloc(&a, 4096), cudaMalloc(&b, 4096);
  cudaMemset(a, 0, 4096), cudaMemset(b, 0, 4096);
  sums<<<1, 96>>>(a, b, a, 10);
  divides<<<1, 32>>>(a, 2);
  half<true><<<1, 32>>>(a);
  half<false><<<2, 32>>>(a);
  vectors<<<1, 32>>>(reinterpret_cast<float4 *>(a));
  calls<<<1, 32>>>(a);
  one_line<<<1, 32>>>(a, 7);
}
