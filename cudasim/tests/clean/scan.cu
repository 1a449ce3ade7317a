// Prefix sums over several blocks: a work-efficient scan of each block, a scan of the sums, and their addition.
// output: 0
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)
__global__ void prescan(int *g_odata, const int *g_idata, int *sums, int n) {
  extern __shared__ int temp[];
  int thid = threadIdx.x, offset = 1, base = blockIdx.x * 2 * blockDim.x, length = 2 * blockDim.x;
  int ai = thid, bi = thid + length / 2;
  int bankOffsetA = CONFLICT_FREE_OFFSET(ai), bankOffsetB = CONFLICT_FREE_OFFSET(bi);
  temp[ai + bankOffsetA] = base + ai < n ? g_idata[base + ai] : 0;
  temp[bi + bankOffsetB] = base + bi < n ? g_idata[base + bi] : 0;
  for (int d = length >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
      ai += CONFLICT_FREE_OFFSET(ai), bi += CONFLICT_FREE_OFFSET(bi);
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (thid == 0) {
    int last = length - 1 + CONFLICT_FREE_OFFSET(length - 1);
    sums[blockIdx.x] = temp[last];
    temp[last] = 0;
  }
  for (int d = 1; d < length; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
      ai += CONFLICT_FREE_OFFSET(ai), bi += CONFLICT_FREE_OFFSET(bi);
      int t = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += t;
    }
  }
  __syncthreads();
  if (base + ai < n) g_odata[base + ai] = temp[ai + bankOffsetA];
  if (base + bi < n) g_odata[base + bi] = temp[bi + bankOffsetB];
}
__global__ void scan_in_place(int *sums, int count) {
  __shared__ int staged[2][64];
  int t = threadIdx.x, from = 0;
  staged[0][t] = t > 0 && t - 1 < count ? sums[t - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < 64; offset *= 2) {
    staged[1 - from][t] = staged[from][t] + (t >= offset ? staged[from][t - offset] : 0);
    from = 1 - from;
    __syncthreads();
  }
  if (t < count) sums[t] = staged[from][t];
}
__global__ void add(int *out, const int *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += sums[blockIdx.x];
}
int main() {
  const int n = 2000, threads = 64, blocks = (n + 2 * threads - 1) / (2 * threads);
  static int h[n], result[n];
  int *in, *out, *sums, wrong = 0, sum = 0;
  for (int i = 0; i < n; ++i) h[i] = i % 11 - 3;
  cudaMalloc(&in, sizeof h), cudaMalloc(&out, sizeof h), cudaMalloc(&sums, blocks * sizeof(int));
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  prescan<<<blocks, threads, (2 * threads + CONFLICT_FREE_OFFSET(2 * threads)) * sizeof(int)>>>(out, in, sums, n);
  scan_in_place<<<1, 64>>>(sums, blocks);
  add<<<blocks, 2 * threads>>>(out, sums, n);
  cudaMemcpy(result, out, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; sum += h[i++]) wrong += result[i] != sum;
  printf("%d\n", wrong);
  cudaFree(in), cudaFree(out), cudaFree(sums);
}
