// A histogram with counts per block in shared memory, merged by atomics.
// output: 0 10000 0
#define BINS 64
#define CHECK(call)                                                                                \
  {                                                                                                \
    const cudaError_t error = call;                                                                \
    if (error != cudaSuccess) {                                                                    \
      printf("Error: %s:%d, code: %d, reason: %s\n", __FILE__, __LINE__, error, cudaGetErrorString(error)); \
      exit(1);                                                                                     \
    }                                                                                              \
  }
typedef unsigned char uchar;
__global__ void histogram(const uchar *data, unsigned int *bins, int n) {
  __shared__ unsigned int local[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd_block(&local[data[i] % BINS], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x)
    if (local[i]) atomicAdd(&bins[i], local[i]);
}
__global__ void minimum(const uchar *data, float *least, int n) {
  __shared__ float block_least;
  if (threadIdx.x == 0) block_least = 1e30f;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float value = data[i] + 3.5f;
    int old = atomicOr((int *)&block_least, 0);
    while (__int_as_float(old) > value) {
      int seen = atomicCAS((int *)&block_least, old, __float_as_int(value));
      if (seen == old) break;
      old = seen;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicMin((int *)least, __float_as_int(block_least));
}
int main() {
  const int n = 10000;
  static uchar h[n];
  unsigned int expected[BINS] = {}, bins[BINS], sum = 0;
  srand(7);
  for (int i = 0; i < n; ++i) h[i] = rand() & 0xff, ++expected[h[i] % BINS];
  h[n / 2] = 0, h[n / 2 + 1] = 0;
  uchar *d;
  unsigned int *dbins;
  float *least, first = 1e30f;
  CHECK(cudaMalloc((void **)&d, n)); CHECK(cudaMalloc((void **)&dbins, sizeof bins)); CHECK(cudaMalloc((void **)&least, 4));
  memset(expected, 0, sizeof expected);
  for (int i = 0; i < n; ++i) ++expected[h[i] % BINS];
  CHECK(cudaMemcpy(d, h, n, cudaMemcpyHostToDevice)); CHECK(cudaMemset(dbins, 0, sizeof bins));
  CHECK(cudaMemcpy(least, &first, 4, cudaMemcpyHostToDevice));
  histogram<<<8, 128>>>(d, dbins, n);
  minimum<<<(n + 255) / 256, 256>>>(d, least, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(bins, dbins, sizeof bins, cudaMemcpyDeviceToHost)); CHECK(cudaMemcpy(&first, least, 4, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < BINS; ++i) wrong += bins[i] != expected[i], sum += bins[i];
  printf("%d %u %g\n", wrong, sum, first - 3.5f);
  CHECK(cudaFree(d)); CHECK(cudaFree(dbins)); CHECK(cudaFree(least));
}
