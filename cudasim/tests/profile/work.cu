// What warps execute of each line: basic blocks, floating-point operations, and what a GPU expands.
// mode: profile
// count: sums:18 | executions 3*(1+10)
// count: sums:19 | executions 3*10 fp32_operations 3*10*2 fp64_operations 0 library_operations 0
// count: sums:19 | global.loads | requests 3*10 width_bytes 3*10*4
// count: sums:20 | executions 3 fp32_operations 0 fp64_operations 3 library_operations 0
// count: divides:25 | executions 1 library_operations 1 fp32_operations 1
// count: divides:26 | library_operations 1
// count: half<true>:30 | executions 1 fp32_operations 1
// count: half<false>:30 | executions 2 fp32_operations 2
// count: vectors:35 | global.loads | requests 1 width_bytes 16
// count: vectors:35 | shared.stores | requests 1 width_bytes 16
// count: vectors:36 | library_operations 0
// count: vectors:36 | barriers 1
// count: calls:40 | executions 2 fp32_operations 2
__global__ void sums(float *to, double *wide, const float *from, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += from[k] * 3;
  wide[threadIdx.x] = wide[threadIdx.x] * 3;
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
}
