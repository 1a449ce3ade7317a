// Two devices of 1 MB: memory that belongs to one, copies between them, and access that was enabled.
// env: CUDASIM_DEVICES=2 CUDASIM_MEMORY=1000000
// output: devices: 2 0 101 101
// output: can access: 1 1 0 101
// output: free: 999000 998000 of 1000000
// output: limit: 2 0 0
// output: copies: 7 8 0 101
// output: peers: 101 101 1 0 704 0 705
// output: sum: 15
// output: reset: 1000000 999000
__global__ void fill(int *a, int value) { a[threadIdx.x] = value; }
__global__ void add(int *to, const int *a, const int *b) { to[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }
size_t free_on(int device) {
  size_t free_bytes, total;
  cudaSetDevice(device), cudaMemGetInfo(&free_bytes, &total);
  return free_bytes;
}
int can_access(int device, int peer) {
  int can = -1;
  cudaError_t error = cudaDeviceCanAccessPeer(&can, device, peer);
  return error ? error : can;
}
void ask() {
  int count, device;
  cudaGetDeviceCount(&count), cudaGetDevice(&device);
  printf("devices: %d %d ", count, device);
  printf("%d ", cudaSetDevice(2)), printf("%d\n", cudaSetDevice(-1));
  printf("can access: %d %d %d %d\n", can_access(0, 1), can_access(1, 0), can_access(1, 1), can_access(0, 2));
}
void allocate() {
  int *first, *second, *managed;
  cudaMallocManaged(&managed, 4 << 20);
  cudaSetDevice(1);
  printf("%d ", cudaMalloc(&first, 998001)), cudaGetLastError();
  printf("%d ", cudaMalloc(&first, 998000));
  cudaSetDevice(0);
  printf("%d\n", cudaMalloc(&second, 999000));
  cudaFree(first), cudaFree(second), cudaFree(managed);
}
void copy(int *a, int *b) {
  int value;
  cudaSetDevice(0), fill<<<1, 4>>>(a, 7), cudaSetDevice(1), fill<<<1, 4>>>(b, 8);
  cudaMemcpyPeer(b + 4, 1, a, 0, 16);
  cudaMemcpy(&value, b + 4, 4, cudaMemcpyDeviceToHost), printf("copies: %d ", value);
  cudaMemcpyPeerAsync(a, 0, b, 1, 16), cudaDeviceSynchronize();
  cudaMemcpy(&value, a, 4, cudaMemcpyDefault), printf("%d ", value);
  printf("%d ", cudaMemcpyPeer(&value, 0, b, 1, 0));
  printf("%d\n", cudaMemcpyPeer(a, 0, b, 2, 16)), cudaGetLastError();
}
void enable() {
  cudaSetDevice(0);
  printf("peers: %d ", cudaDeviceEnablePeerAccess(0, 0)), printf("%d ", cudaDeviceEnablePeerAccess(2, 0));
  printf("%d ", cudaDeviceEnablePeerAccess(1, 1)), printf("%d ", cudaDeviceEnablePeerAccess(1, 0));
  printf("%d ", cudaDeviceEnablePeerAccess(1, 0));
  cudaSetDevice(1), cudaDeviceEnablePeerAccess(0, 0);
  printf("%d ", cudaDeviceDisablePeerAccess(0)), printf("%d\n", cudaDeviceDisablePeerAccess(0)), cudaGetLastError();
}
int main() {
  int *a, *b, *sum, value;
  ask();
  cudaSetDevice(0), cudaMalloc(&a, 1000), cudaSetDevice(1), cudaMalloc(&b, 2000);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 1);
  size_t free_bytes[] = {free_on(0), free_on(1)};
  printf("free: %zu %zu of %zu\nlimit: ", free_bytes[0], free_bytes[1], p.totalGlobalMem);
  allocate(), copy(a, b), enable();
  cudaSetDevice(0), fill<<<1, 4>>>(a, 7), cudaMalloc(&sum, 16);
  add<<<1, 4>>>(sum, a, b);
  cudaMemcpy(&value, sum, 4, cudaMemcpyDeviceToHost), printf("sum: %d\n", value);
  cudaFree(sum), cudaSetDevice(1), cudaFree(b), cudaMalloc(&b, 2000), cudaDeviceReset();
  free_bytes[0] = free_on(1), free_bytes[1] = free_on(0);
  printf("reset: %zu %zu\n", free_bytes[0], free_bytes[1]);
  cudaFree(a);
}
