// mode: check
// finding: bounds_global.cu:5: kernel 'k', block \(0,0,0\) thread \(0,0,0\): out of bounds: write of 8 bytes, 8 bytes before the start of 'a' \(allocated at faults/bounds_global.cu:11\)
// finding: bounds_global.cu:6: kernel 'k', block \(0,0,0\) thread \(0,0,0\): out of bounds: read of 8 bytes, element 10 of 10, 8 bytes past the end of 'b' \(allocated at faults/bounds_global.cu:11\)
__global__ void k(double *a, double *b) {
  a[-1] = 1;
  a[0] = b[10];
}
#define CHECK(call) do { if ((call) != cudaSuccess) exit(1); } while (0)
int main() {
  double *a, *b;
  CHECK(cudaMalloc(&a, 10 * sizeof *a)); CHECK(cudaMalloc((void **)&b, 10 * sizeof *b));
  k<<<1, 1>>>(a, b);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}
