// mode: check
// finding: race_third_reader.cu:11: kernel 'k', .* thread \(34,0,0\): race: write of element 0 of shared 's' and read by thread \(31,0,0\) at faults/race_third_reader.cu:9
// The last two readers have met the writer in their warp, those of the other warp have not.
__global__ void k(int *out) {
  __shared__ int s;
  int t = threadIdx.x;
  if (t == 0) s = 7;
  __syncthreads();
  out[t] = s;
  __syncwarp();
  if (t == 34) s = 3;
}
int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  k<<<1, 64>>>(out);
  cudaFree(out);
}
