// mode: check
// at-least
// finding: race_in_block.cu:8: kernel 'shift', block \(0,0,0\) thread \(1,0,0\): race: read of element 0 of shared 's' and write by thread \(0,0,0\) at faults/race_in_block.cu:7, with no barrier
#define N 64
__global__ void shift(double *a) {
  __shared__ double s[N];
  s[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = s[threadIdx.x ? threadIdx.x - 1 : 0];
}
int main() {
  double h[N] = {}, *a;
  cudaMalloc(&a, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  shift<<<1, N>>>(a);
  cudaFree(a);
}
