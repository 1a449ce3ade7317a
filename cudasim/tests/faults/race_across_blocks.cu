// mode: check
// finding: race_across_blocks.cu:4: kernel 'smooth', block \(1,0,0\) thread \(0,0,0\): race: read of element 31 of 'field' \(allocated at faults/race_across_blocks.cu:8\) and write by block \(0,0,0\) thread \(31,0,0\) at faults/race_across_blocks.cu:4, in another block
__global__ void smooth(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; float left = i % 32 ? 0 : a[i ? i - 1 : 0]; a[i] = left;
}
int main() {
  float *field;
  cudaMalloc((void **)&field, 64 * sizeof *field);
  cudaMemset(field, 0, 64 * sizeof *field);
  smooth<<<2, 32>>>(field, 64);
  cudaFree(field);
}
