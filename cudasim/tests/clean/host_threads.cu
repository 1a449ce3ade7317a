// flags: clean/host_threads.c
// output: 0 as alone
// output: 1 as alone
// output: 2 as alone
// output: 3 as alone
// output: 400 counted
// Host threads that use the device at the same time, each with arrays of its own.
#include <atomic>

__device__ int steps;
static std::atomic<int> counted;

__global__ void step(const int *from, int *to, int n) {
  __shared__ int all[64];
  extern __shared__ int turned[];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  all[t] = from[i];
  __syncthreads();
  turned[t] = all[63 - t];
  __syncthreads();
  to[(i + 64) % n] = turned[(t + 1) % 64] + 1;
}

__global__ void count() { atomicAdd(&steps, 1); }

extern "C" void gpu_steps(int *a, int n, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    int *from, *to;
    cudaMalloc(&from, n * sizeof *from);
    cudaMalloc(&to, n * sizeof *to);
    cudaMemcpy(from, a, n * sizeof *from, cudaMemcpyHostToDevice);
    step<<<n / 64, 64, 64 * sizeof(int)>>>(from, to, n);
    count<<<1, 1>>>();
    cudaDeviceSynchronize();
    cudaMemcpy(a, to, n * sizeof *to, cudaMemcpyDeviceToHost);
    cudaFree(from);
    cudaFree(to);
    ++counted;
  }
}

extern "C" int gpu_counted(void) {
  int on_device;
  cudaMemcpyFromSymbol(&on_device, steps, sizeof on_device);
  return counted == on_device ? on_device : -1;
}
