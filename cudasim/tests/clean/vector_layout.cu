// Sizes and alignments of the vector types are CUDA's (CUDA C++ Programming Guide, "Built-in Vector Types").
// output: 12 4 16 16 24 8 32 32
#include <stdio.h>
#define LAYOUT(type, bytes, alignment) \
  static_assert(sizeof(type) == bytes && alignof(type) == alignment, #type " has another layout in CUDA")
#define LAYOUTS(base, bytes)      \
  LAYOUT(base##1, bytes, bytes);  \
  LAYOUT(base##2, 2 * bytes, 2 * bytes); \
  LAYOUT(base##3, 3 * bytes, bytes);     \
  LAYOUT(base##4, 4 * bytes, (4 * bytes < 16 ? 4 * bytes : 16))
LAYOUTS(char, 1); LAYOUTS(uchar, 1); LAYOUTS(short, 2); LAYOUTS(ushort, 2);
LAYOUTS(int, 4); LAYOUTS(uint, 4); LAYOUTS(float, 4);
LAYOUTS(long, 8); LAYOUTS(ulong, 8); LAYOUTS(longlong, 8); LAYOUTS(ulonglong, 8); LAYOUTS(double, 8);
LAYOUT(double4_16a, 32, 16); LAYOUT(double4_32a, 32, 32); LAYOUT(longlong4_32a, 32, 32); LAYOUT(ulong4_16a, 32, 16);
LAYOUT(dim3, 12, 4);
struct Mixed { char c; float4 v; };
LAYOUT(Mixed, 32, 16);
struct __align__(8) Aligned { float x, y; };
LAYOUT(Aligned, 8, 8);

// What is packed in memory is where CUDA has it.
__global__ void spread(const float3 *in, float *out) { out[threadIdx.x] = in[threadIdx.x].z; }
__global__ void wide(double4_32a *a) { a[threadIdx.x].w = make_double4_32a(1, 2, 3, 4).w; }
int main() {
  float h[6] = {0, 1, 2, 3, 4, 5}, *d, *out, back[2];
  double last, *w;
  cudaMalloc(&d, sizeof h), cudaMalloc(&out, 8), cudaMalloc(&w, 64);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  spread<<<1, 2>>>((float3 *)d, out);
  cudaMemcpy(back, out, 8, cudaMemcpyDeviceToHost);
  wide<<<1, 2>>>((double4_32a *)w);
  cudaMemcpy(&last, w + 7, 8, cudaMemcpyDeviceToHost);
  if (back[0] != 2 || back[1] != 5 || last != 4) puts("wrong");
  printf("%zu %zu %zu %zu %zu %zu %zu %zu\n", sizeof(float3), alignof(float3), sizeof(float4), alignof(float4), sizeof(double3), alignof(double3), sizeof(double4_32a), alignof(double4_32a));
  cudaFree(d), cudaFree(out), cudaFree(w);
}
