// All-pairs forces with float4 bodies staged in shared memory, and copies of vectors of every kind.
// output: close 1 2 3 4
#include <vector_types.h>
__device__ float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai) {
  float3 r = {bj.x - bi.x, bj.y - bi.y, bj.z - bi.z};
  float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + 0.01f, invDist = rsqrtf(distSqr);
  float s = bj.w * invDist * invDist * invDist;
  ai.x += r.x * s, ai.y += r.y * s, ai.z += r.z * s;
  return ai;
}
extern __shared__ float4 shPosition[];
__global__ void __launch_bounds__(64, 4) calculate_forces(const float4 *__restrict__ globalX, float4 *globalA, int n) {
  float3 acc = {0.0f, 0.0f, 0.0f};
  int gtid = blockIdx.x * blockDim.x + threadIdx.x;
  float4 myPosition = __ldg(&globalX[gtid]);
  for (int i = 0, tile = 0; i < n; i += blockDim.x, tile++) {
    shPosition[threadIdx.x] = globalX[tile * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < blockDim.x; j++) acc = bodyBodyInteraction(myPosition, shPosition[j], acc);
    __syncthreads();
  }
  float4 acc4 = {acc.x, acc.y, acc.z, 0.0f};
  __stcs(&globalA[gtid], acc4);
}
union Bits { float4 f; int4 i; uint2 u[2]; };
__global__ void shuffle_bits(int4 *a, const uchar4 *c, double2 *d, ulonglong2 *u) {
  Bits bits;
  bits.i = a[threadIdx.x];
  float4 copy = bits.f;
  bits.f = make_float4(copy.w, copy.z, copy.y, copy.x);
  a[threadIdx.x] = make_int4(bits.i.w, bits.i.z, bits.i.y, bits.i.x);
  uchar4 bytes = c[threadIdx.x];
  d[threadIdx.x] = double2{double(bytes.x), double(bytes.w)};
  u[threadIdx.x].x = bytes.y, u[threadIdx.x].y = bytes.z;
}
int main() {
  const int n = 256;
  static float4 h[n], a[n];
  for (int i = 0; i < n; ++i) h[i] = make_float4(i % 7, i % 5, i % 3, 1 + i % 2);
  float4 *x, *f;
  cudaMalloc(&x, sizeof h), cudaMalloc(&f, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  calculate_forces<<<n / 64, 64, 64 * sizeof(float4)>>>(x, f, n);
  cudaMemcpy(a, f, sizeof a, cudaMemcpyDeviceToHost);
  double error = 0;
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) {
      double dx = h[j].x - h[i].x, dy = h[j].y - h[i].y, dz = h[j].z - h[i].z;
      sum += h[j].w * dx / pow(dx * dx + dy * dy + dz * dz + 0.01, 1.5);
    }
    error = fmax(error, fabs(sum - a[i].x));
  }
  int4 hi = {1, 2, 3, 4}, *di;
  uchar4 hc = make_uchar4(1, 2, 3, 4), *dc;
  double2 hd, *dd;
  ulonglong2 hu, *du;
  cudaMalloc(&di, sizeof hi), cudaMalloc(&dc, sizeof hc), cudaMalloc(&dd, sizeof hd), cudaMalloc(&du, sizeof hu);
  cudaMemcpy(di, &hi, sizeof hi, cudaMemcpyHostToDevice), cudaMemcpy(dc, &hc, sizeof hc, cudaMemcpyHostToDevice);
  shuffle_bits<<<1, 1>>>(di, dc, dd, du);
  cudaMemcpy(&hi, di, sizeof hi, cudaMemcpyDeviceToHost), cudaMemcpy(&hd, dd, sizeof hd, cudaMemcpyDeviceToHost);
  cudaMemcpy(&hu, du, sizeof hu, cudaMemcpyDeviceToHost);
  printf("%s %d %llu %llu %g\n", error < 1e-2 ? "close" : "far", hi.x, hu.x, hu.y, hd.y);
  cudaFree(x), cudaFree(f), cudaFree(di), cudaFree(dc), cudaFree(dd), cudaFree(du);
}
