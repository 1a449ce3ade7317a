// Copies and fills each way, launches, and the shape of the first launch.
// mode: profile
// output: 0 7
// count: k | launches 3 blocks 3*8 threads 3*8*40 warps 3*8*2 dynamic_shared_bytes 0 line 32
// count: totals | launches 3
// count: copies | host_to_device | calls 4 bytes 4096+64+4+2*3*8
// count: copies | device_to_host | calls 1 bytes 8*16
// count: copies | device_to_device | calls 1 bytes 4096
// count: copies | host_to_host | calls 1 bytes 4
// count: copies | fill | calls 2 bytes 4096+4*16
__constant__ int offset;
__global__ void k(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = offset; }
int main() {
  char *a, *b, h[4096] = {};
  int seven = 7, eight;
  cudaMalloc(&a, 4096), cudaMalloc(&b, 4096);
  cudaMemcpy(a, h, 4096, cudaMemcpyHostToDevice);
  cudaMemcpyAsync(b, h, 64, cudaMemcpyDefault);
  cudaMemcpyToSymbol(offset, &seven, 4);
  cudaMemcpy(b, a, 4096, cudaMemcpyDeviceToDevice);
  cudaMemcpy(&eight, &seven, 4, cudaMemcpyHostToHost);
  cudaMemset(b, 0, 4096);
  cudaMemset2D(b, 64, 0, 16, 4);
  cudaMemcpy2D(h, 16, b, 64, 16, 8, cudaMemcpyDeviceToHost);
  cudaMemcpy3DParms box = {};
  box.srcPtr = make_cudaPitchedPtr(h, 16, 16, 4), box.dstPtr = make_cudaPitchedPtr(a, 32, 32, 4);
  box.extent = make_cudaExtent(8, 3, 2), box.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&box);
  int wrong = cudaMemcpy(b, h, 5000, cudaMemcpyHostToDevice) == cudaErrorInvalidValue ? 0 : 1;
  cudaGetLastError();
  for (int i = 0; i < 3; ++i)
    k<<<dim3(2, 4), 40>>>((int *)a);
  printf("%d %d\n", wrong, eight);
  cudaFree(a), cudaFree(b);
}
