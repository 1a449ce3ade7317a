// A 7-point stencil on a pitched box, copied with cudaMemcpy3D, and managed memory.
// output: 0 wrong, 24
__global__ void stencil(cudaPitchedPtr to, cudaPitchedPtr from, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  size_t slice = from.pitch * ny;
  for (int z = 0; z < nz; ++z) {
    auto row = [&](int j, int k) { return (const float *)((const char *)from.ptr + k * slice + j * from.pitch); };
    float sum = row(y, z)[x];
    if (x > 0) sum += row(y, z)[x - 1];
    if (x < nx - 1) sum += row(y, z)[x + 1];
    if (y > 0) sum += row(y - 1, z)[x];
    if (y < ny - 1) sum += row(y + 1, z)[x];
    if (z > 0) sum += row(y, z - 1)[x];
    if (z < nz - 1) sum += row(y, z + 1)[x];
    ((float *)((char *)to.ptr + z * slice + y * to.pitch))[x] = sum;
  }
}
__global__ void twice(int *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] *= 2;
}
int main() {
  const int nx = 21, ny = 6, nz = 5;
  static float h[nz][ny][nx], result[nz][ny][nx];
  for (int i = 0; i < nx * ny * nz; ++i) (&h[0][0][0])[i] = i % 17;
  cudaPitchedPtr a, b;
  cudaExtent extent = make_cudaExtent(nx * sizeof(float), ny, nz);
  cudaMalloc3D(&a, extent), cudaMalloc3D(&b, extent);
  cudaMemset3D(b, 0, extent);
  cudaMemcpy3DParms in = {}, out = {0};
  in.srcPtr = make_cudaPitchedPtr(h, nx * sizeof(float), nx, ny);
  in.dstPtr = a, in.extent = extent, in.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&in);
  stencil<<<dim3(2, 2), dim3(16, 4)>>>(b, a, nx, ny, nz);
  out.srcPtr = b, out.dstPtr = make_cudaPitchedPtr(result, nx * sizeof(float), nx, ny);
  out.extent = extent, out.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3DAsync(&out, 0);
  cudaStreamSynchronize(0);
  int wrong = 0, *managed;
  for (int z = 0; z < nz; ++z) for (int y = 0; y < ny; ++y) for (int x = 0; x < nx; ++x) {
    float sum = h[z][y][x] + (x ? h[z][y][x - 1] : 0) + (x < nx - 1 ? h[z][y][x + 1] : 0) + (y ? h[z][y - 1][x] : 0) +
                (y < ny - 1 ? h[z][y + 1][x] : 0) + (z ? h[z - 1][y][x] : 0) + (z < nz - 1 ? h[z + 1][y][x] : 0);
    wrong += result[z][y][x] != sum;
  }
  cudaMallocManaged(&managed, 100 * sizeof(int));
  for (int i = 0; i < 100; ++i) managed[i] = i;
  cudaMemAdvise(managed, 400, cudaMemAdviseSetPreferredLocation, 0), cudaMemPrefetchAsync(managed, 400, 0);
  twice<<<2, 32>>>(managed, 100);
  cudaDeviceSynchronize();
  cudaMemPrefetchAsync(managed, 400, cudaCpuDeviceId);
  printf("%d wrong, %d\n", wrong, managed[12]);
  cudaFree(a.ptr), cudaFree(b.ptr), cudaFree(managed);
}
