// The transposes of a well-known tutorial: through shared memory, with and without padding.
// output: 0 0 0
#include <stdio.h>
const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;
__global__ void transposeNaive(float *odata, const float *idata) {
  int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y, width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[x * width + (y + j)] = idata[(y + j) * width + x];
}
template <int padding>
__global__ void transposeTile(float *odata, const float *idata) {
  __shared__ float tile[TILE_DIM][TILE_DIM + padding];
  int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y, width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}
int main() {
  const int n = 64;
  static float h[n * n], t[n * n];
  for (int i = 0; i < n * n; ++i) h[i] = i;
  float *d_idata, *d_tdata;
  cudaMalloc(&d_idata, sizeof h), cudaMalloc(&d_tdata, sizeof h);
  cudaMemcpy(d_idata, h, sizeof h, cudaMemcpyHostToDevice);
  void (*kernels[])(float *, const float *) = {transposeNaive, transposeTile<0>, transposeTile<1>};
  dim3 dimGrid(n / TILE_DIM, n / TILE_DIM, 1), dimBlock(TILE_DIM, BLOCK_ROWS, 1);
  for (int k = 0; k < 3; ++k) {
    cudaMemset(d_tdata, 0, sizeof t);
    kernels[k]<<<dimGrid, dimBlock>>>(d_tdata, d_idata);
    cudaMemcpy(t, d_tdata, sizeof t, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) wrong += t[j * n + i] != h[i * n + j];
    printf("%d%c", wrong, k < 2 ? ' ' : '\n');
  }
  cudaFree(d_idata), cudaFree(d_tdata);
}
