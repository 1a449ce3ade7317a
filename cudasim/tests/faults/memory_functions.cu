// mode: check
// finding: memory_functions.cu:9: kernel 'bounds', .* out of bounds: write of 8 bytes, .* 4 bytes past the end of 'to'
// finding: memory_functions.cu:10: kernel 'bounds', .* out of bounds: read of 128 bytes, 32 bytes past the end of 'from'
// finding: memory_functions.cu:11: kernel 'bounds', .* out of bounds: write of 64 bytes, .* 60 bytes past the end of 'to'
// finding: memory_functions.cu:19: kernel 'race', .* thread \(1,0,0\): race: read of element 1 of shared 's' and write by thread \(0,0,0\) at faults/memory_functions.cu:18
// Of constant size, so that the compiler would make plain loads and stores of them.
struct Line { float a[16]; };
__global__ void bounds(float *to, const float *from) {
  memset(to, 0, 8);
  Line line[2]; memcpy(line, from + 1000, 128);
  memcpy(to, line, 64);
}
__global__ void race(float *out) {
  __shared__ float s[64];
  s[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0)
    memset(s, 0, sizeof s);
  out[threadIdx.x] = s[threadIdx.x];
}
int main() {
  float *to, *from, *out;
  cudaMalloc(&to, 4);
  cudaMalloc(&from, 4096), cudaMemset(from, 0, 4096);
  cudaMalloc(&out, 256);
  bounds<<<1, 1>>>(to, from);
  race<<<1, 64>>>(out);
  cudaFree(to), cudaFree(from), cudaFree(out);
}
