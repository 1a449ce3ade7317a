// An index beyond its row, but inside the array.
// mode: check
// at-least
// finding: bounds_row.cu:[78]: kernel 'k', block \(0,0,0\) thread \(3,1,0\): out of bounds: index 4 of type 'float \[4\]'
__global__ void k(float *out, int n) {
  __shared__ float tile[4][4];
  if (threadIdx.y != 1 || threadIdx.x < 3 + n) tile[threadIdx.y][threadIdx.x] = 0; else
    tile[threadIdx.y][threadIdx.x + 1] = 0;
  __syncthreads();
  if (threadIdx.x + threadIdx.y == 0) *out = tile[0][0];
}
int main() {
  float *out;
  cudaMalloc(&out, 4);
  k<<<1, dim3(4, 4)>>>(out, 0);
  cudaFree(out);
}
