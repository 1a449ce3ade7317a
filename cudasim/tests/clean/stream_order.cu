// Everything that orders streams: events, the default stream, waits, copies that wait, host functions, queries.
// output: 0 wrong
#include <atomic>
#include <stdio.h>
#include <string.h>
__global__ void add(int *to, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += from[i];
}
__global__ void set(int *to, int value) { to[blockIdx.x * blockDim.x + threadIdx.x] = value; }
struct Pair { int *to; int value; };
__global__ void set_pair(Pair pair) { pair.to[threadIdx.x] = pair.value; }
template <class T> __global__ void scale(T *a, T by) { a[threadIdx.x] *= by; }

const int n = 256, bytes = n * sizeof(int);
static int wrong, from_host;
static std::atomic<int> flag;
static void expect(const int *a, int value) { for (int i = 0; i < n; ++i) wrong += a[i] != value; }
static void on_host(void *data) { from_host = *(int *)data + 1; }
static void CUDART_CB raise_flag(cudaStream_t, cudaError_t, void *data) { from_host = *(int *)data, flag = 1; }

int main() {
  int *a, *b, *pinned, *managed, host[n], number = 41;
  cudaStream_t one, two, alone;
  cudaEvent_t done;
  cudaMalloc(&a, bytes), cudaMalloc(&b, bytes), cudaMallocHost(&pinned, bytes), cudaMallocManaged(&managed, bytes);
  cudaStreamCreate(&one), cudaStreamCreate(&two), cudaStreamCreateWithFlags(&alone, cudaStreamNonBlocking);
  cudaEventCreate(&done);

  // An event, also for a stream that does not wait for the default stream.
  set<<<1, n, 0, one>>>(a, 1);
  cudaEventRecord(done, one);
  cudaStreamWaitEvent(alone, done);
  cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice, alone);
  cudaMemcpyAsync(pinned, b, bytes, cudaMemcpyDeviceToHost, alone);
  cudaStreamSynchronize(alone);
  expect(pinned, 1);

  // The default stream waits for the blocking ones, and they for it.
  set<<<1, n, 0, one>>>(a, 2);
  set<<<1, n, 0, two>>>(b, 3);
  add<<<1, n>>>(a, b, n);
  scale<<<1, n, 0, two>>>(a, 2);
  cudaMemcpy(host, a, bytes, cudaMemcpyDeviceToHost);
  expect(host, 10);

  // An event of the default stream, and a wait of the host for an event.
  set_pair<<<1, n>>>(Pair{a, 5});
  cudaEventRecord(done);
  cudaStreamWaitEvent(alone, done);
  scale<<<1, n, 0, alone>>>(a, 3);
  cudaEventRecord(done, alone);
  cudaEventSynchronize(done);
  cudaMemcpy(host, a, bytes, cudaMemcpyDeviceToHost);
  expect(host, 15);

  // Copies that are not asynchronous, and pinned memory that is written again after them.
  for (int i = 0; i < n; ++i) pinned[i] = host[i] = 6;
  cudaMemcpy(a, pinned, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, host, bytes, cudaMemcpyHostToDevice);
  memset(pinned, 0, bytes), memset(host, 0, bytes);
  add<<<1, n, 0, one>>>(a, b, n);
  cudaMemcpyAsync(pinned, a, bytes, cudaMemcpyDeviceToHost, one);
  while (cudaStreamQuery(one) == cudaErrorNotReady) {}
  expect(pinned, 12);

  // Host functions, in their place among the stream's work.
  cudaMemcpyAsync(&number, a, sizeof number, cudaMemcpyDeviceToHost, one);
  cudaLaunchHostFunc(one, on_host, &number);
  cudaStreamSynchronize(one);
  wrong += from_host != 13;
  cudaStreamAddCallback(one, raise_flag, &number, 0);
  cudaEventRecord(done, one);
  while (cudaEventQuery(done) == cudaErrorNotReady) {}
  wrong += flag != 1 || from_host != 12;

  // Managed memory, and memory of the stream's own.
  for (int i = 0; i < n; ++i) managed[i] = 4;
  add<<<1, n, 0, two>>>(managed, managed, n);
  cudaDeviceSynchronize();
  expect(managed, 8);
  int *own;
  cudaMallocAsync(&own, bytes, two);
  cudaMemsetAsync(own, 0, bytes, two);
  add<<<1, n, 0, two>>>(own, managed, n);
  cudaEventRecord(done, two);
  cudaStreamWaitEvent(one, done);
  cudaMemcpyAsync(pinned, own, bytes, cudaMemcpyDeviceToHost, one);
  cudaFreeAsync(own, one);
  set<<<1, n, 0, cudaStreamPerThread>>>(b, 9);
  cudaStreamSynchronize(one);
  expect(pinned, 8);

  // Reads may overlap; so may atomic operations.
  cudaMemcpyAsync(pinned, b, bytes, cudaMemcpyDeviceToHost, cudaStreamPerThread);
  cudaStreamSynchronize(cudaStreamPerThread);
  add<<<1, n, 0, one>>>(a, b, n);
  add<<<1, n, 0, two>>>(managed, b, n);
  cudaDeviceSynchronize();
  expect(managed, 17);
  cudaFree(a), cudaFree(b), cudaFree(managed), cudaFreeHost(pinned);
  cudaStreamDestroy(one), cudaStreamDestroy(two), cudaStreamDestroy(alone), cudaEventDestroy(done);
  printf("%d wrong\n", wrong);
}
