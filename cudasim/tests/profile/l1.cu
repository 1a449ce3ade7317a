// The L1 cache, on 2 multiprocessors with 16 kB each for L1 and shared memory: 128 lines of 4 sectors.
// mode: profile
// env: CUDASIM_TARGET=profile/small_l1.json
//
// A stencil over rows of 64 floats (8 sectors), by a block of 64 x 4 threads: it needs 6 rows, each from L2 once.
// A warp touches 4 sectors in its row and in those above and below, and 5 to the left and right, but 4 at the row's
// ends.
// count: stencil | blocks 1 l1_cache_bytes 16384
// count: stencil | global.loads | requests 5*8 touched_sectors 8*(3*4)+4*(4+5)+4*(5+4) sectors 6*8
// count: stencil | global.loads | l1_hits 8*12+72-48 l1_wavefronts 8*3+4*(1+2)+4*(2+1)
// count: stencil | global.stores | touched_sectors 32 sectors 32 l1_hits 0 l1_wavefronts 8
//
// Sums of 64 rows of 64 floats, a row for a thread: 64 lines are in use at a time, and each is needed for 32 loads.
// count: rows | global.loads | requests 2*64 touched_sectors 64*64 sectors 64*8 l1_hits 64*56 l1_wavefronts 64*64
// The same of 256 rows: one line too many for each of the 256 threads, so that every one is gone when it is needed.
// count: many_rows | global.loads | touched_sectors 256*64 sectors 256*64 l1_hits 0
// Of 128 rows, in a block that keeps half of L1 for shared memory.
// count: rows_without_shared | l1_cache_bytes 16384 static_shared_bytes 0 resident_blocks 1
// count: rows_without_shared | global.loads | sectors 128*8 l1_hits 128*56
// count: rows_with_shared | l1_cache_bytes 8192 static_shared_bytes 8192 resident_blocks 1
// count: rows_with_shared | global.loads | sectors 128*64 l1_hits 0
// count: rows_with_dynamic | l1_cache_bytes 8192 static_shared_bytes 0 dynamic_shared_bytes 8192
// count: rows_with_dynamic | global.loads | sectors 128*64
//
// Every launch begins with an empty cache.
// count: loads_twice | launches 2
// count: loads_twice | global.loads | requests 2*2 touched_sectors 2*8 sectors 2*4 l1_hits 2*4
// A store brings nothing into the cache, and leaves what is there: the load after it finds the sectors of the first.
// count: stores_first | global.stores | sectors 4 touched_sectors 4
// count: stores_first | global.loads | sectors 4 l1_hits 0
// count: stores_between | global.loads | sectors 4 l1_hits 4
// It is written through: although L1 has the sectors, they go to L2, each time anew.
// count: stores_between | global.stores | requests 1 touched_sectors 4 sectors 4 l1_hits 0
// count: stores_twice | global.stores | requests 2 touched_sectors 8 sectors 8 l1_hits 0
// count: stores_twice | global.loads | sectors 4 l1_hits 4
// An atomic operation goes to L2, and what L1 had is old.
// count: atomics_between | global.atomics | requests 1 sectors 4 touched_sectors 4 l1_hits 0 l1_wavefronts 1
// count: atomics_between | global.loads | sectors 8 l1_hits 0
// Loads that do not use it, and leave nothing there.
// count: past_l1 | global.loads | requests 6 touched_sectors 24 sectors 24 l1_hits 0
// count: wide_past_l1 | global.loads | requests 2 touched_sectors 32 sectors 32 l1_hits 0
// Each multiprocessor has a cache: blocks 0 and 2 share one, and block 1 has another.
// count: shares | blocks 3 resident_blocks 2
// count: shares | global.loads | touched_sectors 12 sectors 8 l1_hits 4
// Eight blocks read 64 lines each, twice. Four are on each multiprocessor at a time, and need more lines than it has.
// Where shared memory is enough for one, each block finds its lines again, although half of L1 is shared memory.
// count: sweeps | blocks 8 resident_blocks 4 l1_cache_bytes 16384
// count: sweeps | global.loads | requests 8*4 touched_sectors 8*128 sectors 8*128 l1_hits 0
// count: sweeps_alone | blocks 8 resident_blocks 1 l1_cache_bytes 8192
// count: sweeps_alone | global.loads | requests 8*4 touched_sectors 8*128 sectors 8*64 l1_hits 8*64
// The second block makes more requests than are kept for a wave. It stays on its multiprocessor.
// count: endless | global.loads | touched_sectors 32*140001 sectors 64 l1_hits 32*140001-64
// Pinned memory is not kept.
// count: pinned | global.loads | touched_sectors 8 sectors 8 l1_hits 0
__global__ void stencil(float *to, const float *from) {
  int at = (threadIdx.y + 1) * 64 + threadIdx.x;
  float sum = from[at] + from[at - 64] + from[at + 64];
  if (threadIdx.x > 0) sum += from[at - 1];
  if (threadIdx.x < 63) sum += from[at + 1];
  to[at] = sum;
}
__device__ float row_sum(const float *from) {
  float sum = 0;
  for (int j = 0; j < 64; ++j) sum += from[threadIdx.x * 64 + j];
  return sum;
}
__global__ void rows(float *to, const float *from) { to[threadIdx.x] = row_sum(from); }
__global__ void many_rows(float *to, const float *from) { to[threadIdx.x] = row_sum(from); }
__global__ void rows_without_shared(float *to, const float *from) { to[threadIdx.x] = row_sum(from); }
__global__ void rows_with_shared(float *to, const float *from) {
  __shared__ float sums[2048];
  sums[threadIdx.x] = row_sum(from);
  to[threadIdx.x] = sums[threadIdx.x];
}
__global__ void rows_with_dynamic(float *to, const float *from) {
  extern __shared__ float sums[];
  sums[threadIdx.x] = row_sum(from);
  to[threadIdx.x] = sums[threadIdx.x];
}
__device__ void keep(float value, float *to) {
  if (value < 0) *to = value;
}
__global__ void loads_twice(float *to, const float *from) {
  for (int round = 0; round < 2; ++round) keep(from[threadIdx.x], to), __syncthreads();
}
__global__ void stores_first(float *a, float *to) {
  a[threadIdx.x] = 1;
  __syncthreads();
  keep(a[threadIdx.x], to);
}
__global__ void stores_between(float *a, float *to) {
  keep(a[threadIdx.x], to);
  a[threadIdx.x] = 1;
  __syncthreads();
  keep(a[threadIdx.x], to);
}
__global__ void stores_twice(float *a, float *to) {
  keep(a[threadIdx.x], to);
  a[threadIdx.x] = 1;
  __syncthreads();
  keep(a[threadIdx.x], to);
  a[threadIdx.x] = 2;
}
__global__ void atomics_between(float *a, float *to) {
  keep(a[threadIdx.x], to);
  atomicAdd(&a[threadIdx.x], 1);
  __syncthreads();
  keep(a[threadIdx.x], to);
}
__global__ void past_l1(float *a, float *to) {
  volatile float *v = a;
  keep(v[threadIdx.x] + v[threadIdx.x], to);
  keep(__ldcg(&a[threadIdx.x]) + __ldcg(&a[threadIdx.x]), to);
  keep(__ldcv(&a[threadIdx.x]), to);
  keep(a[threadIdx.x], to);
}
__global__ void wide_past_l1(const float4 *a, float *to) {
  keep(__ldcg(&a[threadIdx.x]).x + __ldcg(&a[threadIdx.x]).y, to);
}
__global__ void shares(const float *from, float *to) { keep(from[threadIdx.x], to); }
__device__ void sweep_twice(const float *from, float *to) {
  for (int i = 0; i < 4; ++i) keep(from[(blockIdx.x * 64 + i % 2 * 32 + threadIdx.x) * 32], to);
}
__global__ void sweeps(const float *from, float *to) { sweep_twice(from, to); }
__global__ void sweeps_alone(const float *from, float *to) {
  __shared__ float own[2048];
  own[threadIdx.x] = 0;
  sweep_twice(from, to);
  keep(own[threadIdx.x] - 1, to);
}
__global__ void endless(const float *from, float *to) {
  float sum = 0;
  for (int i = 0; i < (blockIdx.x ? 140000 : 1); ++i) sum += from[8 * threadIdx.x + 256 * blockIdx.x];
  keep(sum, to);
}
__global__ void pinned(const float *from, float *to) {
  for (int round = 0; round < 2; ++round) keep(from[threadIdx.x], to), __syncthreads();
}
int main() {
  float *a, *b, *h;
  cudaMalloc(&a, 65536), cudaMalloc(&b, 65536), cudaMallocHost(&h, 128);
  cudaMemset(a, 0, 65536), cudaMemset(b, 0, 65536), memset(h, 0, 128);
  stencil<<<1, dim3(64, 4)>>>(b, a);
  rows<<<1, 64>>>(b, a);
  many_rows<<<1, 256>>>(b, a);
  rows_without_shared<<<1, 128>>>(b, a);
  rows_with_shared<<<1, 128>>>(b, a);
  rows_with_dynamic<<<1, 128, 8192>>>(b, a);
  loads_twice<<<1, 32>>>(b, a), loads_twice<<<1, 32>>>(b, a);
  stores_first<<<1, 32>>>(a, b);
  stores_between<<<1, 32>>>(a, b);
  stores_twice<<<1, 32>>>(a, b);
  atomics_between<<<1, 32>>>(a, b);
  past_l1<<<1, 32>>>(a, b);
  wide_past_l1<<<1, 32>>>((float4 *)a, b);
  shares<<<3, 32>>>(a, b);
  sweeps<<<8, 32>>>(a, b), sweeps_alone<<<8, 32>>>(a, b);
  endless<<<2, 32>>>(a, b);
  pinned<<<1, 32>>>(h, b);
  cudaFree(a), cudaFree(b), cudaFreeHost(h);
}
