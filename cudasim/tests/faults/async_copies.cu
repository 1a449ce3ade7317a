// mode: check
// finding: :22: kernel 'k', .* thread \(0,0,0\): race: read of element 0 of shared 's' before the asynchronous copy to it, by this thread at .*async_copies.cu:20, was waited for
// finding: :24: kernel 'k', .* thread \(1,0,0\): race: read of element 0 of shared 's' before the asynchronous copy to it, by thread \(0,0,0\) at .*async_copies.cu:20, was waited for
// finding: :25: kernel 'k', .* thread \(2,0,0\): race: write of element 9 of shared 's' before the asynchronous copy to it, by thread \(9,0,0\)
// finding: :26: kernel 'k', .* thread \(3,0,0\): race: write of element 2 of 'd' .* before the asynchronous copy from it, by thread \(2,0,0\) at .*async_copies.cu:20, was waited for
// finding: :29: kernel 'k', .* thread \(63,0,0\): race: read of element 1 of shared 's' and write by thread \(1,0,0\) at .*async_copies.cu:20, with no barrier in between
// finding: :39: kernel 'uncommitted', .*: race: read of element 0 of shared 's' before .*, by this thread at .*:37, was committed and waited for
// finding: :37: kernel 'uncommitted', .*: bad asynchronous copy: its thread returns and has never committed it
// finding: :44: kernel 'wrong', .*: bad asynchronous copy: it has 12 bytes, not 4, 8 or 16
// finding: :45: kernel 'wrong', .*: bad asynchronous copy: it has 4 bytes, but more are to be filled with zeros or read
// finding: :46: kernel 'wrong', .*: bad asynchronous copy: its destination is not in shared memory
// finding: :47: kernel 'wrong', .*: bad asynchronous copy: its source is in shared memory, not in global memory
// finding: :48: kernel 'wrong', .*: misaligned: the source of an asynchronous copy of 16 bytes
// finding: :49: kernel 'wrong', .*: out of bounds: read of 4 bytes, element 64 of 64
// finding: :51: kernel 'wrong', .*: out of bounds: write of 4 bytes, element 64 of 64
#include <cuda_pipeline.h>
__global__ void k(int *d, int *out) {
  __shared__ int s[64];
  int i = threadIdx.x, sum = 0;
  __pipeline_memcpy_async(&s[i], &d[i], 4);
  __pipeline_commit();
  if (i == 0) sum += s[0];
  __syncthreads();
  if (i == 1) sum += s[0];
  if (i == 2) s[9] = 7;
  if (i == 3) d[2] = 7;
  __syncthreads();
  __pipeline_wait_prior(0);
  if (i == 63) sum += s[1];
  __syncthreads();
  sum += s[63 - i];
  __pipeline_wait_prior(0);
  out[i] = sum;
}
__global__ void uncommitted(int *d, int *out) {
  __shared__ int s[1];
  __pipeline_memcpy_async(&s[0], &d[0], 4);
  __pipeline_wait_prior(0);
  out[0] = s[0];
}
__global__ void wrong(int *d) {
  __shared__ __align__(16) int s[64];
  int one = 1, j = 64;
  __pipeline_memcpy_async(&s[0], &d[0], 12);
  __pipeline_memcpy_async(&s[0], &d[0], 4, 8);
  __pipeline_memcpy_async(&d[0], &d[4], 4);
  __pipeline_memcpy_async(&s[0], &s[4], 4);
  __pipeline_memcpy_async(&s[0], &d[one], 16);
  __pipeline_memcpy_async(&s[4], d + j, 4);
  __pipeline_memcpy_async(&s[8], &d[4], 4);
  __pipeline_memcpy_async(s + j, &d[4], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
}
int main() {
  int *d, *out;
  cudaMalloc(&d, 256), cudaMalloc(&out, 256);
  cudaMemset(d, 0, 256);
  k<<<1, 64>>>(d, out);
  uncommitted<<<1, 1>>>(d, out);
  wrong<<<1, 1>>>(d);
  cudaFree(d), cudaFree(out);
}
