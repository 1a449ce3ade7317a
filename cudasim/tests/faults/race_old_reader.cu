// mode: check
// finding: race_old_reader.cu:12: kernel 'k', block \(1,0,0\) thread \(0,0,0\): race: write of .* and read by block \(0,0,0\) thread \(31,0,0\) at faults/race_old_reader.cu:6, in another block
// A barrier orders the last readers before the writer, but not one of another block before them.
__global__ void k(int *c, int *out) {
  int t = threadIdx.x, b = blockIdx.x;
  if (b == 0) out[t] = c[0];
  __syncthreads();
  if (b == 1) out[32 + t] = c[0];
  __syncthreads();
  if (b == 1) out[32 + t] += c[0];
  __syncthreads();
  if (b == 1 && t == 0) c[0] = 3;
}
int main() {
  int *c, *out;
  cudaMalloc(&c, 4), cudaMalloc(&out, 256);
  cudaMemset(c, 0, 4);
  k<<<2, 32>>>(c, out);
  cudaFree(c), cudaFree(out);
}
