// The overloads that nvcc finds, in device and in host code.
// output: 4 4 8 8 4 8 1 2.5 3.5 2 4294967295 1 0.5 3 8
#include <algorithm>
template <class T> __host__ __device__ int size_of(T) { return sizeof(T); }
__global__ void device(float *f, double *d, long long *n) {
  f[0] = rsqrtf(4.0f), f[1] = min(1.0f, 2.0f), f[2] = fmaf(1, 2, 1);
  d[0] = max(2.5f, 1.0), d[1] = fabs(-3.5), d[2] = abs(-2.0);
  n[0] = max(-1, 1u), n[1] = __ldg(&n[2]), n[3] = __popc(0xff);
  if (__brev(1) != 1u << 31 || __byte_perm(0x03020100, 0x07060504, 0x7531) != 0x07050301 || __dp4a(0x01ff0203, 0x01010101, 4) != 9 ||
      __funnelshift_l(0x80000000, 1, 1) != 3 || __funnelshift_r(0, 1, 4) != 0x10000000 || __hiloint2double(__double2hiint(2.5), __double2loint(2.5)) != 2.5)
    printf("wrong bits\n");
  static_assert(sizeof(sqrt(2.0f)) == 4 && sizeof(sqrt(2.0)) == 8 && sizeof(pow(2.0f, 3.0f)) == 4, "");
}
int main() {
  using namespace std;
  float *f, hf[3];
  double *d, hd[3];
  long long *n, hn[4] = {0, 0, 1, 0};
  cudaMalloc(&f, sizeof hf), cudaMalloc(&d, sizeof hd), cudaMalloc(&n, sizeof hn);
  cudaMemcpy(n, hn, sizeof hn, cudaMemcpyHostToDevice);
  device<<<1, 1>>>(f, d, n);
  cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost), cudaMemcpy(hd, d, sizeof hd, cudaMemcpyDeviceToHost);
  cudaMemcpy(hn, n, sizeof hn, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d %d %d %g %g %g %g %lld %lld %g %g %lld\n", size_of(sqrt(2.0f)), size_of(exp(1.0f)), size_of(sqrt(2)),
         size_of(exp(1.0)), size_of(min(1, 2)), size_of(max(1l, 2l)), hf[1], hd[0], hd[1], hd[2], hn[0], hn[1], hf[0], hf[2], hn[3]);
  cudaFree(f), cudaFree(d), cudaFree(n);
}
