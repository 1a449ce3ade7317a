// mode: check
// output: before
// finding: trap.cu:5: kernel 'k', block \(0,0,0\) thread \(1,0,0\): __trap was called
__global__ void k(int n) {
  if (threadIdx.x == n) __trap();
}
int main() {
  puts("before");
  k<<<1, 2>>>(1);
  puts("behind");
}
