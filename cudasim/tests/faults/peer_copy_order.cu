// cudaMemcpyPeer waits for the work of both devices, cudaMemcpyPeerAsync only for that of its stream.
// mode: check
// env: CUDASIM_DEVICES=2
// finding: peer_copy_order.cu:15: host code: race between streams: read of .* 'a' .* and write at .*peer_copy_order.cu:6
__global__ void set(int *a, int value) { a[threadIdx.x] = value; }
__global__ void change(int *a) { a[threadIdx.x] = 2; }
int main() {
  int *a, *b;
  cudaMalloc(&a, 16), cudaSetDevice(1), cudaMalloc(&b, 16);
  cudaSetDevice(0), set<<<1, 4>>>(a, 1);
  cudaSetDevice(1), set<<<1, 4>>>(b, 1);
  cudaMemcpyPeer(b, 1, a, 0, 16);
  cudaSetDevice(0), change<<<1, 4>>>(a);
  cudaSetDevice(1);
  cudaMemcpyPeerAsync(b, 1, a, 0, 16);
  cudaDeviceSynchronize();
  cudaSetDevice(0), cudaDeviceSynchronize();
  cudaFree(a), cudaFree(b);
}
