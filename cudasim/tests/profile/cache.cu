// Bytes over the memory bus, with an L2 cache of 64 kB and an L1 cache of 4 kB.  Arrays are of 32 kB, and the large
// ones of 128 kB.
// mode: profile
// env: CUDASIM_TARGET=profile/small.json
// count: device | l1_bytes 4096 l1_line_bytes 128 l2_bytes 65536 l2_line_bytes 128 l2_ways 16 multiprocessors 4
// count: reads_twice_small | dram_read_bytes 32768 dram_written_bytes 0
// count: reads_twice_large | dram_read_bytes 2*131072 dram_written_bytes 0
// count: reads_by_launch | launches 2 dram_read_bytes 32768
// count: writes_large | dram_read_bytes 0 dram_written_bytes 131072
// count: writes_small | launches 3 dram_read_bytes 0 dram_written_bytes 32768
// count: writes_parts | dram_read_bytes 32768 dram_written_bytes 32768
// count: updates | dram_read_bytes 131072 dram_written_bytes 131072
// count: produces | dram_read_bytes 0 dram_written_bytes 32768
// count: consumes | dram_read_bytes 0
// count: after_copy | launches 2 dram_read_bytes 2*32768
// count: shares | blocks 4 dram_read_bytes 131072
// count: column | dram_read_bytes 32*32
// count: passes_on | dram_read_bytes 0 barriers 1
// count: counts | dram_read_bytes 32 dram_written_bytes 32
// count: pinned | dram_read_bytes 0 dram_written_bytes 0
// count: pinned | global.loads | requests 1 sectors 4
__global__ void reads_twice_small(const float *a, float *sum) {
  float s = 0;
  for (int round = 0; round < 2; ++round)
    for (int i = threadIdx.x; i < 8192; i += blockDim.x) s += a[i];
  if (s < 0) *sum = s;
}
__global__ void reads_twice_large(const float *a, float *sum) {
  float s = 0;
  for (int round = 0; round < 2; ++round)
    for (int i = threadIdx.x; i < 32768; i += blockDim.x) s += a[i];
  if (s < 0) *sum = s;
}
__global__ void reads_by_launch(const float *a, float *sum) {
  float s = a[blockIdx.x * blockDim.x + threadIdx.x];
  if (s < 0) *sum = s;
}
__global__ void after_copy(const float *a, float *sum) {
  float s = a[blockIdx.x * blockDim.x + threadIdx.x];
  if (s < 0) *sum = s;
}
__global__ void writes_large(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void writes_small(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void writes_parts(float *a) { a[8 * (blockIdx.x * blockDim.x + threadIdx.x)] = 1; }
__global__ void updates(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void produces(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 2; }
__global__ void consumes(const float *a, float *sum) {
  float s = a[blockIdx.x * blockDim.x + threadIdx.x];
  if (s < 0) *sum = s;
}
__global__ void shares(const float *a, float *sum) {
  float s = 0;
  for (int i = threadIdx.x; i < 32768; i += blockDim.x) s += a[i];
  if (s < 0) *sum = s;
}
// Lines at a distance of 4 kB, again and again: they do not all compete for the same places.
__global__ void column(const float *a, float *sum) {
  float s = 0;
  for (int round = 0; round < 10; ++round) s += a[threadIdx.x * 1024];
  if (s < 0) *sum = s;
}
// The first warp's many writes come before the other warp's read, because of the barrier.
__global__ void passes_on(float *a, float *sum) {
  if (threadIdx.x < 32)
    for (int i = 0; i < 100; ++i) a[32 * i + threadIdx.x] = i;
  __syncthreads();
  if (threadIdx.x >= 32 && a[32 * 99 + threadIdx.x - 32] < 0) *sum = 1;
}
__global__ void counts(int *a) { atomicAdd(a, 1); }
__global__ void pinned(float *a) { a[threadIdx.x] += 1; }
int main() {
  float *small, *large, *sum, *fresh, *h, *host = (float *)calloc(131072, 1);
  cudaMalloc(&small, 32768), cudaMalloc(&large, 131072), cudaMalloc(&sum, 4), cudaMalloc(&fresh, 32768);
  cudaMallocHost(&h, 128);
  cudaMemset(small, 0, 32768), cudaMemset(large, 0, 131072), cudaMemset(fresh, 0, 32768);
  reads_twice_small<<<1, 256>>>(small, sum);
  reads_twice_large<<<1, 256>>>(large, sum);
  reads_by_launch<<<32, 256>>>(small, sum), reads_by_launch<<<32, 256>>>(small, sum);
  writes_large<<<128, 256>>>(large);
  cudaMemset(large, 0, 131072);
  writes_small<<<32, 256>>>(small), writes_small<<<32, 256>>>(small), writes_small<<<32, 256>>>(small);
  cudaMemset(small, 0, 32768);
  writes_parts<<<4, 256>>>(small);
  cudaMemset(small, 0, 32768);
  updates<<<128, 256>>>(large);
  cudaMemset(large, 0, 131072);
  produces<<<32, 256>>>(small);
  consumes<<<32, 256>>>(small, sum);
  after_copy<<<32, 256>>>(fresh, sum);
  cudaMemcpy(fresh, host, 32768, cudaMemcpyHostToDevice);
  after_copy<<<32, 256>>>(fresh, sum);
  shares<<<4, 256>>>(large, sum);
  cudaMemcpy(large, host, 131072, cudaMemcpyHostToDevice);
  column<<<1, 32>>>(large, sum);
  cudaMemset(small, 0, 32768);
  passes_on<<<1, 64>>>(small, sum);
  cudaMemset(sum, 0, 4);
  counts<<<4, 64>>>((int *)sum);
  for (int i = 0; i < 32; ++i) h[i] = 0;
  pinned<<<1, 32>>>(h);
  cudaFree(small), cudaFree(large), cudaFree(sum), cudaFree(fresh), cudaFreeHost(h);
  free(host);
}
