// C += A * B with tiles of 16 x 16: nvcc unrolls the sum over a tile and loads four numbers of a row of A at once.
#define TILE 16

__global__ void product(int n, const float *A, const float *B, float *C) {
  __shared__ __align__(16) float tile_A[TILE][TILE];
  __shared__ float tile_B[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  float sum = C[row * n + column];
  for (int k0 = 0; k0 < n; k0 += TILE) {
    tile_A[ty][tx] = A[row * n + k0 + tx];
    tile_B[ty][tx] = B[(k0 + ty) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k)
      sum += tile_A[ty][k] * tile_B[k][tx];
    __syncthreads();
  }
  C[row * n + column] = sum;
}

int main() {
  const int n = 48;
  float *matrix[3];
  for (float *&m : matrix)
    cudaMalloc(&m, n * n * 4), cudaMemset(m, 0, n * n * 4);
  product<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(n, matrix[0], matrix[1], matrix[2]);
}
