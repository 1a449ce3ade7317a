// Atomics of every operation, type and scope.
// output: 0 wrong
__device__ int wrong;
#define EXPECT(condition) do { if (!(condition)) printf("line %d\n", __LINE__), ++wrong; } while (0)
template <class T> __device__ void integers(T *p) {
  *p = 12;
  EXPECT(atomicAdd(p, T(3)) == 12 && atomicAdd_block(p, T(3)) == 15 && atomicAdd_system(p, T(2)) == 18 && *p == 20);
  EXPECT(atomicMin(p, T(7)) == 20 && atomicMin_block(p, T(9)) == 7 && atomicMax(p, T(8)) == 7 && atomicMax_system(p, T(1)) == 8 && *p == 8);
  EXPECT(atomicAnd(p, T(12)) == 8 && atomicOr(p, T(3)) == 8 && atomicXor(p, T(1)) == 11 && atomicOr_block(p, T(4)) == 10 && *p == 14);
  EXPECT(atomicExch(p, T(5)) == 14 && atomicExch_system(p, T(6)) == 5);
  EXPECT(atomicCAS(p, T(6), T(1)) == 6 && atomicCAS(p, T(6), T(2)) == 1 && atomicCAS_block(p, T(1), T(3)) == 1 && *p == 3);
}
__global__ void one(int *i, unsigned *u, unsigned long long *l, long long *s, float *f, double *d, unsigned short *h) {
  integers(i), integers(u), integers(l);
  *u = 5;
  EXPECT(atomicSub(u, 2u) == 5 && atomicSub_block(i, 4) == 3 && *i == -1 && *u == 3);
  EXPECT(atomicInc(u, 4) == 3 && atomicInc(u, 4) == 4 && *u == 0 && atomicDec(u, 9) == 0 && atomicDec_block(u, 9) == 9 && *u == 8);
  *s = -5;
  EXPECT(atomicMin(s, -9ll) == -5 && atomicMax(s, -2ll) == -9 && *s == -2);
  *f = 1.5f, *d = 2.5;
  EXPECT(atomicAdd(f, 0.5f) == 1.5f && atomicAdd(d, 0.5) == 2.5 && atomicExch(f, -0.0f) == 2 && atomicAdd_system(d, -3.0) == 3 && *d == 0);
  *h = 3;
  EXPECT(atomicCAS(h, (unsigned short)3, (unsigned short)9) == 3 && *h == 9);
}
// Many threads in global and shared memory at once.
__global__ void many(double *sum, unsigned long long *most, int *turns) {
  __shared__ float local;
  __shared__ int lock_free;
  if (threadIdx.x == 0) local = 0, lock_free = 0;
  __syncthreads();
  atomicAdd(&local, 1.0f);
  atomicMax(&lock_free, int(threadIdx.x));
  atomicAdd(sum, 0.25);
  atomicMax(most, (unsigned long long)blockIdx.x << 32 | threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(turns, int(local) + lock_free);
}
int main() {
  char *a;
  int count, turns;
  double sum;
  unsigned long long most;
  cudaMalloc(&a, 64), cudaMemset(a, 0, 64);
  one<<<1, 1>>>((int *)a, (unsigned *)(a + 8), (unsigned long long *)(a + 16), (long long *)(a + 24), (float *)(a + 32), (double *)(a + 40), (unsigned short *)(a + 48));
  cudaMemset(a, 0, 64);
  many<<<16, 256>>>((double *)a, (unsigned long long *)(a + 8), (int *)(a + 16));
  cudaMemcpy(&sum, a, 8, cudaMemcpyDeviceToHost), cudaMemcpy(&most, a + 8, 8, cudaMemcpyDeviceToHost);
  cudaMemcpy(&turns, a + 16, 4, cudaMemcpyDeviceToHost), cudaMemcpyFromSymbol(&count, wrong, 4);
  if (sum != 1024 || most != (15ull << 32 | 255) || turns != 16 * (256 + 255)) printf("%g %llx %d\n", sum, most, turns);
  printf("%d wrong\n", count);
  cudaFree(a);
}
