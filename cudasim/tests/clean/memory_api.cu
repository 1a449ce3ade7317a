// output: 0 (nil) 1 2 3 4 5 6 7 8 13 80
struct Point { double2 p; int4 q; };
__constant__ float weights[4] = {1, 2, 3, 4};
__managed__ int managed_total;
__global__ void use(float *out, const int *pinned, Point point, int *managed) {
  out[threadIdx.x] = weights[threadIdx.x] + pinned[threadIdx.x] + point.q.w;
  if (threadIdx.x == 0) managed[0] = 13, managed_total = 80;
}
int main() {
  void *nothing;
  printf("%d %p ", cudaMalloc(&nothing, 0), nothing);
  size_t pitch;
  char *p2d, rows[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, back[2][6] = {};
  cudaMallocPitch(&p2d, &pitch, 4, 2);
  cudaMemcpy2D(p2d, pitch, rows, 4, 4, 2, cudaMemcpyHostToDevice);
  cudaMemcpy2D(back, 6, p2d, pitch, 4, 2, cudaMemcpyDeviceToHost);
  for (auto &row : back) for (int i = 0; i < 4; ++i) printf("%d ", row[i]);
  int *pinned, *managed;
  float *out, h[4], w[4] = {5, 6, 7, 8};
  cudaMallocHost(&pinned, 16), cudaMallocManaged(&managed, 4), cudaMalloc(&out, 16);
  for (int i = 0; i < 4; ++i) pinned[i] = i;
  cudaMemcpyToSymbol(weights, w, sizeof w);
  cudaStream_t stream;
  cudaEvent_t start, stop;
  cudaStreamCreate(&stream), cudaEventCreate(&start), cudaEventCreate(&stop);
  cudaEventRecord(start, stream);
  use<<<1, 4, 0, stream>>>(out, pinned, Point{make_double2(1, 2), make_int4(0, 0, 0, 0)}, managed);
  cudaEventRecord(stop, stream), cudaEventSynchronize(stop);
  float ms = -1;
  cudaEventElapsedTime(&ms, start, stop);
  cudaMemcpyAsync(h, out, sizeof h, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  if (h[3] != 11 || ms < 0) printf("wrong: %g %g\n", h[3], ms);
  printf("%d %d\n", *managed, managed_total);
  cudaStreamDestroy(stream), cudaEventDestroy(start), cudaEventDestroy(stop);
  cudaFree(p2d), cudaFreeHost(pinned), cudaFree(managed), cudaFree(out);
  cudaFree(0);
}
