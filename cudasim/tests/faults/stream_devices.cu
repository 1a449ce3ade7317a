// Devices order nothing between them: not their default streams, and not what only one of them has waited for.
// mode: check
// env: CUDASIM_DEVICES=2
// finding: :9: kernel 'add', .*: race between streams: read of element 0 of 'managed' .* in the default stream of device 1 and write at .*:9 by kernel 'add' \(launched at .*:14\) in the default stream, with nothing
// finding: :24: host code: race between streams: write of element 0 of 'b' .* in the default stream of device 1 and write by the copy at .*:23 in the default stream, with nothing to order them
#include <stdio.h>

__global__ void set(int *a) { a[threadIdx.x] = 3; }
__global__ void add(int *a) { a[threadIdx.x] += 1; }
int main() {
  int *a, *b, *managed;
  cudaMalloc(&a, 128);
  cudaMallocManaged(&managed, 128), cudaMemset(managed, 0, 128);
  add<<<1, 32>>>(managed);
  cudaSetDevice(1), cudaMalloc(&b, 128);
  add<<<1, 32>>>(managed);
  cudaDeviceSynchronize();
  set<<<1, 32>>>(b);
  cudaSetDevice(0), set<<<1, 32>>>(a);
  // This waits for both devices, and both for it.
  cudaMemcpyPeer(b, 1, a, 0, 128);
  cudaSetDevice(1), add<<<1, 32>>>(b), cudaDeviceSynchronize(), cudaSetDevice(0);
  cudaMemcpyPeerAsync(b, 1, a, 0, 128);
  cudaSetDevice(1), cudaMemset(b, 0, 128);
  cudaDeviceSynchronize();
  cudaSetDevice(0), cudaDeviceSynchronize();
  cudaFree(a), cudaFree(b), cudaFree(managed);
}
