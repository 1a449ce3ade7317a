// As PPCG writes its output: ppcg_min and ppcg_max as macros, kernels with fixed block sizes, all calls checked.
// output: 0 0
#include <assert.h>
#include <stdio.h>
#define ppcg_min(x,y)    ((x) < (y) ? (x) : (y))
#define ppcg_max(x,y)    ((x) > (y) ? (x) : (y))
#define ppcg_fdiv_q(n,d) (((n)<0) ? -((-(n)+(d)-1)/(d)) : (n)/(d))

__global__ void kernel0(double *A, double *B, double *C, int ni, int nj, int nk)
{
    int b0 = blockIdx.y, b1 = blockIdx.x;
    int t0 = threadIdx.y, t1 = threadIdx.x;
    __shared__ double shared_A[32][16];
    double private_C[1][2];

    #define ppcg_max(x,y)    ({ __typeof__(x) _x = (x); __typeof__(y) _y = (y); _x > _y ? _x : _y; })
    for (int c0 = 32 * b0; c0 < ni; c0 += 8192)
      for (int c1 = 32 * b1; c1 < nj; c1 += 8192) {
        if (ni >= t0 + c0 + 1 && nj >= t1 + c1 + 1) {
          private_C[0][0] = 0;
          if (nj >= t1 + c1 + 17)
            private_C[0][1] = 0;
        }
        for (int c2 = 0; c2 < nk; c2 += 16) {
          if (ni >= t0 + c0 + 1)
            for (int c4 = t1; c4 <= ppcg_min(15, nk - c2 - 1); c4 += 16)
              shared_A[t0][c4] = A[(t0 + c0) * nk + (c2 + c4)];
          __syncthreads();
          if (ni >= t0 + c0 + 1 && nj >= t1 + c1 + 1)
            for (int c3 = 0; c3 <= ppcg_min(15, nk - c2 - 1); c3 += 1) {
              private_C[0][0] += (shared_A[t0][c3] * B[(c2 + c3) * nj + (t1 + c1)]);
              if (nj >= t1 + c1 + 17)
                private_C[0][1] += (shared_A[t0][c3] * B[(c2 + c3) * nj + (t1 + c1 + 16)]);
            }
          __syncthreads();
        }
        if (ni >= t0 + c0 + 1 && nj >= t1 + c1 + 1) {
          C[(t0 + c0) * nj + (t1 + c1)] = private_C[0][0];
          if (nj >= t1 + c1 + 17)
            C[(t0 + c0) * nj + (t1 + c1 + 16)] = private_C[0][1];
        }
      }
}
__global__ void kernel1(double *C, double *D, int ni, int nj, int c0)
{
    int b0 = blockIdx.x, t0 = threadIdx.x;
    int i = ppcg_fdiv_q(32 * b0 + t0, nj), j = 32 * b0 + t0 - i * nj;
    if (i < ni)
      D[i * nj + j] += C[i * nj + j] * (c0 + 1);
}

int main()
{
  enum { ni = 70, nj = 45, nk = 37 };
  static double A[ni][nk], B[nk][nj], C[ni][nj], D[ni][nj];
  for (int i = 0; i < ni; i++) for (int k = 0; k < nk; k++) A[i][k] = i + k % 5;
  for (int k = 0; k < nk; k++) for (int j = 0; j < nj; j++) B[k][j] = k - j % 7;
  {
#define cudaCheckReturn(ret) \
  do { \
    cudaError_t cudaCheckReturn_e = (ret); \
    if (cudaCheckReturn_e != cudaSuccess) { \
      fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(cudaCheckReturn_e)); \
      fflush(stderr); \
    } \
    assert(cudaCheckReturn_e == cudaSuccess); \
  } while(0)
#define cudaCheckKernel() \
  do { \
    cudaCheckReturn(cudaGetLastError()); \
  } while(0)

    double *dev_A;
    double *dev_B;
    double *dev_C, *dev_D;

    cudaCheckReturn(cudaMalloc((void **) &dev_A, (ni) * (37) * sizeof(double)));
    cudaCheckReturn(cudaMalloc((void **) &dev_B, (nk) * (45) * sizeof(double)));
    cudaCheckReturn(cudaMalloc((void **) &dev_C, (ni) * (45) * sizeof(double)));
    cudaCheckReturn(cudaMalloc((void **) &dev_D, (ni) * (45) * sizeof(double)));

    cudaCheckReturn(cudaMemcpy(dev_A, A, (ni) * (37) * sizeof(double), cudaMemcpyHostToDevice));
    cudaCheckReturn(cudaMemcpy(dev_B, B, (nk) * (45) * sizeof(double), cudaMemcpyHostToDevice));
    cudaCheckReturn(cudaMemset(dev_D, 0, (ni) * (45) * sizeof(double)));
    {
      dim3 k0_dimBlock(16, 32);
      dim3 k0_dimGrid(ppcg_min(256, (nj + 31) / 32), ppcg_min(256, (ni + 31) / 32));
      kernel0 <<<k0_dimGrid, k0_dimBlock>>> (dev_A, dev_B, dev_C, ni, nj, nk);
      cudaCheckKernel();
    }
    for (int c0 = 0; c0 < 2; c0 += 1)
      {
        dim3 k1_dimBlock(32);
        dim3 k1_dimGrid((ni * nj + 31) / 32);
        kernel1 <<<k1_dimGrid, k1_dimBlock>>> (dev_C, dev_D, ni, nj, c0);
        cudaCheckKernel();
      }

    cudaCheckReturn(cudaMemcpy(C, dev_C, (ni) * (45) * sizeof(double), cudaMemcpyDeviceToHost));
    cudaCheckReturn(cudaMemcpy(D, dev_D, (ni) * (45) * sizeof(double), cudaMemcpyDeviceToHost));
    cudaCheckReturn(cudaFree(dev_A));
    cudaCheckReturn(cudaFree(dev_B));
    cudaCheckReturn(cudaFree(dev_C));
    cudaCheckReturn(cudaFree(dev_D));
  }
  int wrong = 0, other = 0;
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      double sum = 0;
      for (int k = 0; k < nk; k++) sum += A[i][k] * B[k][j];
      wrong += C[i][j] != sum;
      other += D[i][j] != 3 * sum;
    }
  printf("%d %d\n", wrong, other);
}
