// flags: clean/names_of_the_program.c
// output: 38
// C files may give their variables and functions any name that C leaves them.
__global__ void add(double *to) { to[threadIdx.x + blockIdx.x * blockDim.x] += gridDim.x; }
extern "C" void gpu_add(double *a, int n) {
  double *d;
  cudaMalloc(&d, n * sizeof *d);
  cudaMemcpy(d, a, n * sizeof *d, cudaMemcpyHostToDevice);
  add<<<2, n / 2>>>(d);
  cudaMemcpy(a, d, n * sizeof *d, cudaMemcpyDeviceToHost);
  cudaFree(d);
}
