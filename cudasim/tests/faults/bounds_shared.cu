// mode: check
// finding: bounds_shared.cu:9: kernel 'k', block \(0,0,0\) thread \(3,0,0\): out of bounds: index 4 of type 'int \[4\]'
// finding: bounds_shared.cu:10: kernel 'k', block \(0,0,0\) thread \(0,0,0\): out of bounds: write of 4 bytes, element 4 of 4, 4 bytes past the end of shared 'a'
__global__ void k(int n) {
  __shared__ int a[4], b[4];
  int t = threadIdx.x;
  b[t] = 0; __syncthreads();
  int *p = a;
  if (t == 3) a[t + 1] = b[0];
  if (t == 0) p[n] = b[0];
}
int main() { k<<<1, 4>>>(4); }
