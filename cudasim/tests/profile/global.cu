// Requests to global memory: 32 warps, one access of each lane.
// mode: profile
// count: strided<float, 1, 0> | global.loads | requests 32 lanes 1024 touched_sectors 32*4 ideal_sectors 32*4
// count: strided<float, 1, 0> | global.loads | bytes 4096 l1_wavefronts 32
// count: strided<float, 2, 0> | global.loads | requests 32 touched_sectors 32*8 ideal_sectors 32*4 bytes 4096
// count: strided<float, 4, 0> | global.loads | requests 32 touched_sectors 32*16 ideal_sectors 32*4
// count: strided<float, 8, 0> | global.loads | requests 32 touched_sectors 32*32 ideal_sectors 32*4
// count: strided<float, 32, 0> | global.loads | requests 32 touched_sectors 32*32 ideal_sectors 32*4
// count: strided<float, 32, 0> | global.stores | requests 32 touched_sectors 32*4 ideal_sectors 32*4
// count: strided<float, 1, 1> | global.loads | requests 32 touched_sectors 32*5 ideal_sectors 32*4
// count: strided<float, 1, 1> | global.loads | sectors 4*33 l1_hits 32*5-4*33 l1_wavefronts 2*32
// count: strided<float, 32, 0> | global.loads | sectors 1024 l1_hits 0 l1_wavefronts 1024
// count: strided<float, 0, 7> | global.loads | requests 32 lanes 1024 touched_sectors 32 ideal_sectors 32 bytes 32*4
// count: strided<double, 1, 0> | global.loads | requests 32 touched_sectors 32*8 ideal_sectors 32*8
// count: strided<double, 2, 0> | global.loads | requests 32 touched_sectors 32*16 ideal_sectors 32*8
// count: strided<double, 4, 0> | global.loads | requests 32 touched_sectors 32*32 ideal_sectors 32*8
// count: strided<double, 8, 0> | global.loads | requests 32 touched_sectors 32*32 ideal_sectors 32*8
// count: strided<double, 32, 0> | global.loads | requests 32 touched_sectors 32*32 ideal_sectors 32*8
// count: strided<double, 1, 1> | global.loads | requests 32 touched_sectors 32*9 ideal_sectors 32*8
// count: strided<unsigned char, 1, 0> | global.loads | requests 32 touched_sectors 32 ideal_sectors 32
// count: strided<float4, 1, 0> | global.loads | requests 32 touched_sectors 32*16 ideal_sectors 32*16 bytes 32*512
// count: strided<float4, 1, 0> | global.stores | requests 32 touched_sectors 32*16
// count: strided<double2, 1, 0> | global.loads | requests 32 touched_sectors 32*16
// count: strided<float2, 1, 0> | global.loads | requests 32 touched_sectors 32*8
// count: strided<float3, 1, 0> | global.loads | requests 3*32 touched_sectors 3*32*12 ideal_sectors 3*32*4
// count: components | global.loads | requests 1 touched_sectors 16
// count: components | global.stores | requests 1 touched_sectors 16
// count: few | global.loads | requests 1 lanes 20 touched_sectors 3 ideal_sectors 3 bytes 80
// count: guarded | global.loads | requests 32 lanes 1000 touched_sectors 31*4+1 ideal_sectors 31*4+1
// count: guarded | warps 32 blocks 4 threads 1024 launches 1 divergent_branches 1
// count: halo3 | global.loads | requests 3*32 touched_sectors 32*4+2*32*5
// count: halo5 | global.loads | requests 5*32 touched_sectors 32*4+4*32*5
// count: halo5 | global.stores | requests 32 touched_sectors 32*5
// count: same_address | global.atomics | requests 3 lanes 96 touched_sectors 3 ideal_sectors 3
// count: same_address | global.loads | requests 0
// count: histogram | global.atomics | requests 1 lanes 32 touched_sectors 1 ideal_sectors 1
// count: backwards | global.loads | requests 1 touched_sectors 4 ideal_sectors 4
// count: pairs | global.loads | requests 1 touched_sectors 2 ideal_sectors 2 bytes 64
template <class T, int stride, int offset>
__global__ void strided(T *to, const T *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i * stride + offset];
}
__global__ void components(float4 *to, const float4 *from) {
  float4 v = from[threadIdx.x];
  to[threadIdx.x] = make_float4(v.w, v.z, 2 * v.y, v.x);
}
__global__ void few(float *to, const float *from) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void backwards(float *to, const float *from) { to[threadIdx.x] = from[31 - threadIdx.x]; }
__global__ void pairs(float *to, const float *from) { to[threadIdx.x] = from[threadIdx.x / 2]; }
__global__ void guarded(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}
__global__ void halo3(float *to, const float *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  to[i] = from[i - 1] + from[i] + from[i + 1];
}
__global__ void halo5(float *to, const float *from, int pitch) {
  int i = threadIdx.x + 1, j = blockIdx.x + 1;
  to[j * pitch + i] = from[j * pitch + i] + from[j * pitch + i - 1] + from[j * pitch + i + 1] +
                      from[(j - 1) * pitch + i] + from[(j + 1) * pitch + i];
}
__global__ void same_address(int *count, double *sum, float *most) {
  atomicAdd(count, 1);
  atomicAdd(sum, 1.0);
  atomicMax(count + 1, int(threadIdx.x));
}
__global__ void histogram(unsigned *bins, const unsigned char *) { atomicInc(&bins[threadIdx.x % 8], 100); }
int main() {
  char *a, *b;
  cudaMalloc(&a, 1 << 20), cudaMalloc(&b, 1 << 20);
  cudaMemset(a, 0, 1 << 20), cudaMemset(b, 0, 1 << 20);
#define STRIDED(T, stride, offset) strided<T, stride, offset><<<4, 256>>>((T *)b, (const T *)a);
  STRIDED(float, 1, 0) STRIDED(float, 2, 0) STRIDED(float, 4, 0) STRIDED(float, 8, 0) STRIDED(float, 32, 0)
  STRIDED(float, 1, 1) STRIDED(float, 0, 7)
  STRIDED(double, 1, 0) STRIDED(double, 2, 0) STRIDED(double, 4, 0) STRIDED(double, 8, 0) STRIDED(double, 32, 0)
  STRIDED(double, 1, 1) STRIDED(unsigned char, 1, 0)
  STRIDED(float4, 1, 0) STRIDED(double2, 1, 0) STRIDED(float2, 1, 0) STRIDED(float3, 1, 0)
  components<<<1, 32>>>((float4 *)b, (float4 *)a);
  float *to = (float *)b, *from = (float *)a;
  few<<<1, 20>>>(to, from);
  backwards<<<1, 32>>>(to, from);
  pairs<<<1, 32>>>(to, from);
  guarded<<<4, 256>>>(to, from, 1000);
  halo3<<<4, 256>>>(to, from);
  halo5<<<4, 256>>>(to, from, 264);
  same_address<<<1, 32>>>((int *)a, (double *)(a + 8), to);
  histogram<<<1, 32>>>((unsigned *)a, nullptr);
  cudaFree(a), cudaFree(b);
}
