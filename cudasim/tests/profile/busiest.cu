// The work of the warp that the others of its block wait for: from barrier to barrier, that which does most.
// Each visit of a line, each operation and each access counts one.
// mode: profile
// count: adds:11 | work 2*4*(1+1) busiest_work 2*1*(1+1)
// count: adds:15 | work 2*100*(1+1+3) busiest_work 2*100*(1+1+3)
// count: one_interval:19 | work (0+1+2+3)*(1+1) busiest_work 3*(1+1)
// count: in_turns:25 | work 4*10*(1+1) busiest_work 4*10*(1+1)
// count: even:30 | work 2*4*(1+1+2) busiest_work 2*1*(1+1+2)
__global__ void adds(float *to, int n) {
  __shared__ float part[128];
  part[threadIdx.x] = n;
  __syncthreads();
  if (threadIdx.x == 64)
    for (int k = 0; k < n; ++k)
      to[0] += part[k];
}
__global__ void one_interval(float *to) {
  for (unsigned k = 0; k < threadIdx.x / 32; ++k)
    to[k * 32 + threadIdx.x % 32] = 0;
}
__global__ void in_turns(float *to, int n) {
  for (int warp = 0; warp < 4; ++warp) {
    if (threadIdx.x / 32 == warp)
      for (int k = 0; k < n; ++k)
        to[threadIdx.x] = k;
    __syncthreads();
  }
}
__global__ void even(float *to) {
  to[threadIdx.x] *= 2;
}
int main() {
  float *a;
  cudaMalloc(&a, 4096);
  cudaMemset(a, 0, 4096);
  adds<<<2, 128>>>(a, 100);
  one_interval<<<1, 128>>>(a);
  in_turns<<<1, 128>>>(a, 10);
  even<<<2, 128>>>(a);
  cudaFree(a);
}
