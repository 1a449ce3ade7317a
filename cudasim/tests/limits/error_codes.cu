// mode: fast
// output: cudaErrorInvalidValue invalid argument
// output: cudaErrorMemoryAllocation out of memory
// output: 1 1 1 21 101 0 1 9.0 100
int main() {
  int h[4], *a;
  cudaMalloc(&a, 16);
  cudaError_t e = cudaFree(h);
  printf("%s %s\n", cudaGetErrorName(e), cudaGetErrorString(cudaPeekAtLastError()));
  int *b;
  e = cudaMalloc(&b, size_t(1) << 50);
  printf("%s %s\n", cudaGetErrorName(e), cudaGetErrorString(e));
  printf("%d ", cudaMemcpy(a, h, 17, cudaMemcpyHostToDevice));
  printf("%d ", cudaMemcpy(h, h, 16, cudaMemcpyHostToDevice));
  printf("%d ", cudaMemset(h, 0, 16));
  printf("%d ", cudaMemcpy(h, a, 16, (cudaMemcpyKind)7));
  printf("%d ", cudaSetDevice(1));
  cudaGetLastError();
  printf("%d ", cudaGetLastError());
  int n;
  cudaGetDeviceCount(&n);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("%d %d.%d ", n, p.major, p.minor);
  cudaFree(a), cudaDeviceReset();
  printf("%d\n", cudaErrorNoDevice);
}
