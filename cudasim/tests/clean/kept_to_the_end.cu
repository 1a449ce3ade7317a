// output: 3
__global__ void set(int *a) { a[threadIdx.x] = 3; }
int main() {
  int *d, a[4];
  cudaMalloc(&d, sizeof a);
#ifdef CUDASIM
  cudasim::keeps_to_the_end(d);
#endif
  set<<<1, 4>>>(d);
  cudaMemcpy(a, d, sizeof a, cudaMemcpyDeviceToHost);
  printf("%d\n", a[3]);
}
