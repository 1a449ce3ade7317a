// output: 4096 4096 -4096 4095 0 4095 0 1 7 4096 5 42 40
__device__ unsigned wrap, down = 3;
__global__ void k(double *d, float *f, int *i, unsigned long long *u) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(d, 1.0), atomicAdd(f, 1.0f), atomicSub(&i[0], 1);
  atomicMax(&i[1], t), atomicMin(&i[2], t), atomicOr(&i[3], t), atomicAnd(&i[4], t), atomicXor(&i[5], t == 5);
  atomicInc(&wrap, 9), atomicDec(&down, 5);
  atomicAdd(u, 1ull);
}
__global__ void exchange(int *i) {
  i[6] = atomicExch(&i[7], 42);
  atomicCAS(&i[7], 41, 1);
  atomicCAS(&i[6], 3, 40);
}
// The last block to arrive sums what the others wrote, ordered by a fence and an atomic.
__device__ int arrived;
__global__ void last_block(int *partial, int *sum) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = 1;
    __threadfence();
    last = atomicAdd(&arrived, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x) return;
  *sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) *sum += partial[b];
}
int main() {
  double hd = 0, *d;
  float hf = 0, *f;
  int hi[8] = {0, 0, 9999, 0, ~0, 0, 0, 3}, *i, *p, sum;
  unsigned long long hu = 0, *u;
  cudaMalloc(&d, 8), cudaMalloc(&f, 4), cudaMalloc(&i, sizeof hi), cudaMalloc(&u, 8), cudaMalloc(&p, 256);
  cudaMemcpy(d, &hd, 8, cudaMemcpyHostToDevice), cudaMemcpy(f, &hf, 4, cudaMemcpyHostToDevice);
  cudaMemcpy(i, hi, sizeof hi, cudaMemcpyHostToDevice), cudaMemcpy(u, &hu, 8, cudaMemcpyHostToDevice);
  k<<<16, 256>>>(d, f, i, u);
  exchange<<<1, 1>>>(i);
  cudaMemcpy(&hd, d, 8, cudaMemcpyDeviceToHost), cudaMemcpy(&hf, f, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(hi, i, sizeof hi, cudaMemcpyDeviceToHost), cudaMemcpy(&hu, u, 8, cudaMemcpyDeviceToHost);
  unsigned w, n;
  cudaMemcpyFromSymbol(&w, wrap, 4), cudaMemcpyFromSymbol(&n, down, 4);
  last_block<<<32, 32>>>(p, i);
  cudaMemcpy(&sum, i, 4, cudaMemcpyDeviceToHost);
  if (sum != 32) printf("last block: %d\n", sum);
  printf("%g %g %d %d %d %d %d %d %d %llu %u %d %d\n", hd, hf, hi[0], hi[1], hi[2], hi[3], hi[4], hi[5], w + 1, hu, n, hi[7], hi[6]);
  cudaFree(d), cudaFree(f), cudaFree(i), cudaFree(u), cudaFree(p);
}
