// mode: check
// output: 1
// The host is kept out of device memory only as long as that takes little time: here, walking over the
// addresses of all that was freed takes more and more.
int main() {
  int *d, one = '1';
  for (int i = 0; i < 10000; ++i) {
    cudaMalloc(&d, sizeof *d);
    cudaMemcpy(d, &one, sizeof *d, cudaMemcpyHostToDevice);
    cudaMemset(d, 0, sizeof *d);
    cudaFree(d);
  }
  cudaMalloc(&d, sizeof *d);
  cudaMemcpy(d, &one, sizeof *d, cudaMemcpyHostToDevice);
  puts(reinterpret_cast<char *>(d));
  cudaFree(d);
}
