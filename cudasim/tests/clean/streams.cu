// Copies and kernels of two streams that overlap, pinned and registered memory, events, callbacks.
// output: called 42, 0 wrong, time 1, status 0
#include <stdio.h>
#include <stdlib.h>
static inline cudaError_t checkCuda(cudaError_t result) {
  if (result != cudaSuccess) { fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result)); exit(1); }
  return result;
}
__global__ void kernel(float *a, int offset) {
  int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
  float x = (float)i, s = sinf(x), c = cosf(x);
  a[i] = a[i] + sqrtf(s * s + c * c);
}
static int called;
static void CUDART_CB on_host(void *data) { called = *(int *)data; }
int main() {
  const int blockSize = 256, nStreams = 2, n = 4 * 1024 * nStreams, streamSize = n / nStreams;
  const int bytes = n * sizeof(float), streamBytes = streamSize * sizeof(float);
  float *a, *d_a, *own = (float *)malloc(bytes), ms;
  int number = 42, least, greatest, wrong = 0;
  checkCuda(cudaMallocHost((void **)&a, bytes));
  checkCuda(cudaMalloc((void **)&d_a, bytes));
  checkCuda(cudaHostRegister(own, bytes, cudaHostRegisterDefault));
  cudaEvent_t startEvent, stopEvent, ready;
  cudaStream_t stream[nStreams];
  checkCuda(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  checkCuda(cudaEventCreate(&startEvent)); checkCuda(cudaEventCreate(&stopEvent));
  checkCuda(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  checkCuda(cudaStreamCreateWithFlags(&stream[0], cudaStreamNonBlocking));
  checkCuda(cudaStreamCreateWithPriority(&stream[1], cudaStreamDefault, greatest));
  memset(a, 0, bytes);
  checkCuda(cudaEventRecord(startEvent, 0));
  for (int i = 0; i < nStreams; ++i) {
    int offset = i * streamSize;
    checkCuda(cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]));
    kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, offset);
    checkCuda(cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost, stream[i]));
  }
  checkCuda(cudaEventRecord(ready, stream[0]));
  checkCuda(cudaStreamWaitEvent(stream[1], ready, 0));
  checkCuda(cudaMemcpyAsync(own, d_a, bytes, cudaMemcpyDeviceToHost, stream[1]));
  checkCuda(cudaLaunchHostFunc(stream[1], on_host, &number));
  checkCuda(cudaEventRecord(stopEvent, 0));
  checkCuda(cudaEventSynchronize(stopEvent));
  checkCuda(cudaEventElapsedTime(&ms, startEvent, stopEvent));
  for (int i = 0; i < nStreams; ++i) checkCuda(cudaStreamSynchronize(stream[i]));
  for (int i = 0; i < n; ++i) wrong += fabsf(a[i] - 1) > 1e-3 || own[i] != a[i];
  printf("called %d, %d wrong, time %d, status %d\n", called, wrong, ms >= 0, cudaStreamQuery(stream[0]));
  checkCuda(cudaEventDestroy(startEvent)); checkCuda(cudaEventDestroy(stopEvent)); checkCuda(cudaEventDestroy(ready));
  for (int i = 0; i < nStreams; ++i) checkCuda(cudaStreamDestroy(stream[i]));
  checkCuda(cudaHostUnregister(own));
  cudaFree(d_a), cudaFreeHost(a), free(own);
}
