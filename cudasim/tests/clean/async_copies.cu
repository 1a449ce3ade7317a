// Asynchronous copies of every size, with zeros, in batches of a pipeline of two stages, and by a group.
// output: 0 wrong
#include <cuda_pipeline.h>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__device__ int wrong;
#define EXPECT(condition) do { if (!(condition)) { atomicAdd(&wrong, 1); printf("line %d\n", __LINE__); } } while (0)

// Each thread adds up its column; the next row is on its way meanwhile.
__global__ void columns(const float *in, float *out, int rows) {
  __shared__ float stage[2][64];
  float sum = 0;
  __pipeline_memcpy_async(&stage[0][threadIdx.x], &in[threadIdx.x], sizeof(float));
  __pipeline_commit();
  for (int row = 0; row < rows; ++row) {
    if (row + 1 < rows)
      __pipeline_memcpy_async(&stage[(row + 1) % 2][threadIdx.x], &in[(row + 1) * 64 + threadIdx.x], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    sum += stage[row % 2][threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

// What others have copied is there after their wait and a barrier.
__global__ void reversed(const float4 *in, float4 *out) {
  extern __shared__ float4 tile[];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void padded(const int *in) {
  __shared__ __align__(16) int s[32][4];
  int *own = s[threadIdx.x];
  __pipeline_memcpy_async(own, in, 16, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  EXPECT(own[0] == 0 && own[1] == 1 && own[2] == 2 && own[3] == 0);
  __pipeline_memcpy_async(own, in + 2, 8, 8);
  __pipeline_memcpy_async(own + 2, in + 6, 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  EXPECT(own[0] == 0 && own[1] == 0 && own[2] == 6 && own[3] == 7);
}

__global__ void by_group(const int *in, const char *bytes) {
  __shared__ __align__(16) int s[100];
  __shared__ char c[7];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof s);
  cg::memcpy_async(block, c, bytes + 1, sizeof c);
  cg::wait_prior<1>(block);
  EXPECT(s[99 - threadIdx.x] == 99 - int(threadIdx.x));
  cg::wait(block);
  EXPECT(c[threadIdx.x % 7] == bytes[1 + threadIdx.x % 7]);
  EXPECT(__isShared(s) && !__isShared(in) && *(int *)__cvta_shared_to_generic(__cvta_generic_to_shared(s + 3)) == 3);
}

int main() {
  const int n = 64 * 8;
  float h[n], sums[64], back[n];
  int numbers[n], count, bad = 0;
  for (int i = 0; i < n; ++i) h[i] = float(i), numbers[i] = i;
  float *in, *out;
  int *ints;
  cudaMalloc(&in, sizeof h), cudaMalloc(&out, sizeof h), cudaMalloc(&ints, sizeof numbers);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(ints, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  columns<<<1, 64>>>(in, out, 8);
  cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) bad += sums[i] != 8 * i + 64 * 28;
  reversed<<<1, n / 4, sizeof h>>>((float4 *)in, (float4 *)out);
  cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) bad += back[i] != (n / 4 - 1 - i / 4) * 4 + i % 4;
  padded<<<2, 32>>>(ints);
  by_group<<<2, 50>>>(ints, (char *)ints);
  cudaMemcpyFromSymbol(&count, wrong, sizeof count);
  printf("%d wrong\n", bad + count);
  cudaFree(in), cudaFree(out), cudaFree(ints);
}
