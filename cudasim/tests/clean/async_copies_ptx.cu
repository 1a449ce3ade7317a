// Asynchronous copies by inline PTX, in the forms that programs use.
// output: 0 wrong
// count: ptx:10 | async_copies | requests 1 touched_sectors 16 l1_hits 0
// count: ptx:13 | async_copies | requests 1 lanes 32 bytes 256 touched_sectors 8
// count: ptx | async_copies | requests 2 shared_wavefronts 4+2
#include <stdint.h>
#include <stdio.h>
#define COMMIT() asm volatile("cp.async.commit_group;\n" ::)
__device__ __forceinline__ void copy16(void *to, const void *from) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "n"(16) : "memory");
}
template <int n> __device__ void copy_some(uint32_t to, const void *from, int bytes) {
  asm volatile("cp.async.ca.shared::cta.global"
               " [%0], [%1], %2, %3;"
               :
               : "r"(to), "l"(from), "n"(n), "r"(bytes));
}
template <int n> __device__ void wait() { asm volatile("cp.async.wait_group %0;\n\t" :: "n"(n)); }
__global__ void ptx(const int *in, int *wrong) {
  __shared__ __align__(16) int s[32][4], t[32][2];
  int i = threadIdx.x;
  copy16(s[i], in + 4 * i);
  COMMIT();
  copy_some<8>(__cvta_generic_to_shared(t[i]), in + i * 2, 8);
  COMMIT();
  wait<1>();
  if (s[i][3] != 4 * i + 3) atomicAdd(wrong, 1);
  asm volatile("cp.async.wait_all;");
  if (t[i][1] != i * 2 + 1) atomicAdd(wrong, 1);
}
int main() {
  int h[256], *in, *wrong, count, flags;
  for (int i = 0; i < 256; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h), cudaMalloc(&wrong, 4);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice), cudaMemset(wrong, 0, 4);
  ptx<<<1, 32>>>(in, wrong);
  cudaMemcpy(&count, wrong, 4, cudaMemcpyDeviceToHost);
  asm("xorl %0, %0" : "=r"(flags));
  printf("%d wrong\n", count + flags);
  cudaFree(in), cudaFree(wrong);
}
