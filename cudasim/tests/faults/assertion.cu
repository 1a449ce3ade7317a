// mode: check
// output: before
// finding: assertion.cu:6: kernel 'k', block \(1,0,0\) thread \(3,0,0\): the assertion `i < n' failed
#include <assert.h>
__global__ void k(unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x; assert(i < n);
}
int main() {
  puts("before");
  k<<<2, 4>>>(7);
  puts("behind");
}
