// Host code on memory that a stream is still using: pinned, pageable, managed, and what a host function writes.
// mode: check
// finding: :29: host code: race between streams: write of host memory that the copy at .*:28 in the stream created at .*:27 reads, and the host has not waited for it
// finding: :32: host code: race between streams: read of host memory that the copy at .*:31 in the stream created at .*:27 writes, and the host has not waited for it
// finding: :35: host code: race between streams: read of host memory that the copy at .*:34 in the default stream writes, and the host has not waited for it
// finding: :38: host code: race between streams: write of host memory that kernel 'reads' \(launched at .*:37\) in the stream created at .*:27 reads, and the host
// finding: :41: host code: race between streams: read of element 1 of 'managed' .* and write by kernel 'writes' \(launched at .*:40\) in the default stream, and the host has not waited for it
// finding: :44: host code: race between streams: read of host memory that the host function at .*:43 in the stream created at .*:27 writes, and the host
// finding: :47: host code: race between streams: write of host memory that the copy at .*:46 in the stream created at .*:27 reads
// finding: :13: kernel 'reads', .*: race between streams: read of host memory that the copy at .*:50 in the stream created at .*:27 writes, with nothing to order them
#include <stdio.h>
__global__ void writes(int *d) { d[threadIdx.x] = 1; }
__global__ void reads(const int *d, int *out) { out[threadIdx.x] = d[threadIdx.x]; }
const int n = 32, bytes = n * sizeof(int);
static int result, input = 3;
static void set_result(void *) {
  int local = 7;
  result = local;
}
static void set_input(void *data) { *(int *)data = 4; }
int main() {
  int *d, *out, *pinned, *managed, pageable[n] = {}, seen = 0;
  cudaStream_t s, other;
  cudaMalloc(&d, bytes), cudaMalloc(&out, bytes), cudaMallocHost(&pinned, bytes);
  cudaMallocManaged(&managed, bytes);
  cudaStreamCreate(&other);
  cudaStreamCreate(&s);
  cudaMemcpyAsync(d, pinned, bytes, cudaMemcpyHostToDevice, s);
  pinned[3] = 1;
  cudaStreamSynchronize(s);
  cudaMemcpyAsync(pinned, d, bytes, cudaMemcpyDeviceToHost, s);
  seen += pinned[3];
  cudaStreamSynchronize(s);
  cudaMemcpyAsync(pageable, d, bytes, cudaMemcpyDeviceToHost);
  seen += pageable[5];
  cudaStreamSynchronize(0);
  reads<<<1, n, 0, s>>>(pinned, out);
  pinned[4] = 2;
  cudaStreamSynchronize(s);
  writes<<<1, n>>>(managed);
  seen += managed[1];
  cudaDeviceSynchronize();
  cudaLaunchHostFunc(s, set_result, nullptr);
  seen += result;
  cudaStreamSynchronize(s);
  cudaMemcpyAsync(d, &input, sizeof input, cudaMemcpyHostToDevice, s);
  input = 5;
  cudaStreamSynchronize(s);
  cudaLaunchHostFunc(s, set_input, &input);
  cudaMemcpyAsync(pinned, d, bytes, cudaMemcpyDeviceToHost, s);
  reads<<<1, n, 0, other>>>(pinned, out);
  cudaDeviceSynchronize();
  printf("%d %d\n", seen + result, input);
  cudaStreamDestroy(s), cudaStreamDestroy(other);
  cudaFree(d), cudaFree(out), cudaFree(managed), cudaFreeHost(pinned);
}
