// Asynchronous copies count apart from loads and stores: what they read by sectors, what they write by wavefronts.
// mode: profile
// count: sizes:24 | async_copies | requests 2 lanes 2*32 touched_sectors 2*4 ideal_sectors 2*4 bytes 2*128 shared_wavefronts 2*1 ideal_shared_wavefronts 2*1
// count: sizes:25 | async_copies | requests 2 lanes 2*32 touched_sectors 2*16 ideal_sectors 2*16 bytes 2*512 shared_wavefronts 2*4 ideal_shared_wavefronts 2*4
// count: sizes:26 | async_copies | requests 2 lanes 2*16 touched_sectors 2*2 bytes 2*64 shared_wavefronts 2*1
// count: sizes:27 | async_copies | requests 2 lanes 2*32 touched_sectors 2*32 ideal_sectors 2*4 bytes 2*128 shared_wavefronts 2*8 ideal_shared_wavefronts 2*1
// Those of 16 bytes do not use L1, the others do: the third finds what the first has read, the fourth 8 sectors of it.
// count: sizes:24 | async_copies | sectors 2*4 l1_hits 0
// count: sizes:25 | async_copies | sectors 2*16 l1_hits 0
// count: sizes:26 | async_copies | sectors 0 l1_hits 2*2
// count: sizes:27 | async_copies | sectors 56 l1_hits 8 l1_wavefronts 2*8
// count: sizes | async_copies | requests 4*2
// count: sizes | global.loads | requests 0
// count: sizes | global.stores | requests 2
// count: sizes | shared.stores | requests 0 wavefronts 0
// count: sizes | shared.loads | requests 2
#include <cuda_pipeline.h>
__global__ void sizes(const int *in, int *out) {
  __shared__ __align__(128) int s[1024];
  __shared__ __align__(128) int4 wide[64];
  __shared__ __align__(128) int few[64], spread[64 * 8];
  int i = threadIdx.x;

  __pipeline_memcpy_async(&s[i], &in[i], 4);
  __pipeline_memcpy_async(&wide[i], &in[4 * i], 16);
  __pipeline_memcpy_async(&few[i], &in[i], 4, i % 32 < 16 ? 0 : 4);
  __pipeline_memcpy_async(&spread[8 * i], &in[8 * i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[i] = s[i];
}
int main() {
  int *d, *out;
  cudaMalloc(&d, 4096), cudaMalloc(&out, 256);
  cudaMemset(d, 0, 4096);
  sizes<<<1, 64>>>(d, out);
  cudaFree(d), cudaFree(out);
}
