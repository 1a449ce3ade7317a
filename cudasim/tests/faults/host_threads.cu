// mode: check
// finding: host_threads.cu:31: host code: bad pointer: the host accesses 'd' \(allocated at .*host_threads.cu:29\) directly
// finding: host_threads.cu:11: kernel 'shift', block \(0,0,0\) thread \(1,0,0\): race: write of element 1 of shared 's' and read by thread \(0,0,0\)
// finding: host_threads.cu:12: kernel 'shift', block \(0,0,0\) thread \(0,0,0\): read of element 1 of shared 's', which has no value yet
// finding: host_threads.cu:1[789]: kernel 'sink', block \(0,0,0\) thread \(0,0,0\): the kernel's local variables overflow its stack
// What is wrong in a host thread that is not the first is found there as well.
#include <thread>

__global__ void shift(int *a) {
  __shared__ int s[33];
  s[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = s[threadIdx.x + 1];
}

// Deeper than any stack.
__device__ int depth(volatile int *below) {
  volatile int local[64];
  local[0] = below[0] + 1;
  return local[0] < 1000000 ? depth(local) + local[0] : 0;
}

__global__ void sink(int *a) { a[0] = depth(a); }

__global__ void clear(int *a) { a[threadIdx.x] = 0; }

int *d;

static void launch_wrongly() {
  cudaMalloc(&d, 32 * sizeof *d);
  cudaMemset(d, 0, 32 * sizeof *d);
  d[3] = 1;
  shift<<<1, 32>>>(d);
  sink<<<1, 1>>>(d);
}

int main() {
  int *first;
  cudaMalloc(&first, 32 * sizeof *first);
  clear<<<1, 32>>>(first);
  cudaFree(first);
  std::thread(launch_wrongly).join();
}
