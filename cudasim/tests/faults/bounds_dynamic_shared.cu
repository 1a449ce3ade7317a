// mode: check
// finding: bounds_dynamic_shared.cu:5: kernel 'k', block \(0,0,0\) thread \(16,0,0\): out of bounds: write of 8 bytes, element 16 of 16, 8 bytes past the end of dynamic shared memory
__global__ void k() {
  extern __shared__ double s[];
  s[threadIdx.x] = 1;
}
int main() { k<<<1, 17, 16 * sizeof(double)>>>(); }
