// mode: check
// finding: memcpy_in_kernel.cu:4: kernel 'k', block \(0,0,0\) thread \(0,0,0\): out of bounds: read of 24 bytes
struct Big { double v[3]; };
__global__ void k(Big *to, const double *from, int n) { memcpy(to, from, n); }
int main() {
  double *a;
  Big *b;
  cudaMalloc(&a, 16); cudaMalloc(&b, sizeof(Big));
  cudaMemset(a, 0, 16);
  k<<<1, 1>>>(b, a, 24);
  cudaFree(a); cudaFree(b);
}
