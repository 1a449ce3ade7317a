// Work of two streams on the same bytes, with nothing to order them: kernels, copies, fills, frees.
// mode: check
// finding: :15: kernel 'reads', .*: race between streams: read of element 0 of 'd' \(allocated at .*\) in the stream created at .*:28 and write at .*:14 by kernel 'writes' \(launched at .*:30\) in the stream created at .*:27, with nothing to order them
// finding: :35: host code: race between streams: write of element 0 of 'd' .* in the stream created at .*:27 and read at .*:15 by kernel 'reads' \(launched at .*:34\) in the stream created at .*:28
// finding: :39: host code: race between streams: write of element 0 of 'd' .* in the default stream and write by the copy at .*:38 in the stream created at .*:29, with nothing
// finding: :44: host code: race between streams: the copy in the stream created at .*:28 writes host memory that the copy at .*:43 in the stream created at .*:27 reads, with nothing to order them
// finding: :49: host code: race between streams: write of element 0 of 'own' .* in the stream created at .*:28 and write at .*:14 by kernel 'writes' \(launched at .*:48\) in the stream created at .*:27
// finding: :52: host code: race between streams: read of element 0 of 'd' .* in the stream created at .*:28 and atomic update at .*:16 by kernel 'adds'
// finding: :17: kernel 'adds_by_two', .*: race between streams: atomic update of element 1 of 'd' .* and write by the fill at .*:55 in the stream created at .*:29
// finding: :61: host code: race between streams: write of element 0 of 'd' .* in the stream created at .*:29 and write by the copy at .*:60 in the default stream
#include <stdio.h>


__global__ void writes(int *d) { d[threadIdx.x] = 1; }
__global__ void reads(const int *d, int *out) { out[threadIdx.x] = d[threadIdx.x]; }
__global__ void adds(int *d) { atomicAdd(d + threadIdx.x, 1); }
__global__ void adds_by_two(int *d) { atomicAdd(d + 2 * threadIdx.x + 1, 1); }
const int n = 32, bytes = n * sizeof(int);

int main() {
  int *d, *out, *pinned, *own, host[n] = {};
  cudaStream_t one, two, alone;
  cudaMalloc(&d, bytes), cudaMalloc(&out, bytes), cudaMallocHost(&pinned, bytes);
  cudaMemset(out, 0, bytes);


  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaStreamCreateWithFlags(&alone, cudaStreamNonBlocking);
  writes<<<1, n, 0, one>>>(d);
  reads<<<1, n, 0, two>>>(d, out);

  cudaDeviceSynchronize();
  reads<<<1, n, 0, two>>>(d, out);
  cudaMemcpyAsync(d, pinned, bytes, cudaMemcpyHostToDevice, one);

  cudaDeviceSynchronize();
  cudaMemcpyAsync(d, pinned, bytes, cudaMemcpyHostToDevice, alone);
  cudaMemset(d, 0, bytes);

  cudaDeviceSynchronize();
  // Both copies use the same host memory.
  cudaMemcpyAsync(d, pinned, bytes, cudaMemcpyHostToDevice, one);
  cudaMemcpyAsync(pinned, out, bytes, cudaMemcpyDeviceToHost, two);

  cudaDeviceSynchronize();
  cudaMallocAsync(&own, bytes, one);
  writes<<<1, n, 0, one>>>(own);
  cudaFreeAsync(own, two);
  cudaDeviceSynchronize();
  adds<<<1, n, 0, one>>>(d);
  cudaMemcpyAsync(out, d, bytes, cudaMemcpyDeviceToDevice, two);

  cudaDeviceSynchronize();
  cudaMemsetAsync(d, 0, bytes, alone);
  adds_by_two<<<1, n / 2, 0, one>>>(d);

  cudaDeviceSynchronize();
  // From pageable memory, only the source has been read when the call returns.
  cudaMemcpy(d, host, bytes, cudaMemcpyHostToDevice);
  cudaMemsetAsync(d, 0, bytes, alone);
  cudaDeviceSynchronize();
  cudaStreamDestroy(one), cudaStreamDestroy(two), cudaStreamDestroy(alone);
  cudaFree(d), cudaFree(out), cudaFreeHost(pinned);
}
