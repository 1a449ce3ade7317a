// mode: check
// finding: copy_uninitialised.cu:11: host code: copy to the host of 'b' \(allocated at faults/copy_uninitialised.cu:9\), which has no value at byte 32
__global__ void half(double *a, int n) {
  if (threadIdx.x < n / 2) a[threadIdx.x] = 1;
}
int main() {
  double h[8], *a, *b;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  half<<<1, 8>>>(a, 8); cudaMemcpy(b, a, sizeof h, cudaMemcpyDeviceToDevice);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(a); cudaFree(b);
}
