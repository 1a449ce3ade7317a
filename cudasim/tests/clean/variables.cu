// Device and constant variables of every make.
// output: 1 2 3 4 5 6 7 8 9
__device__ const double fixed[2] = {1, 0};
static __constant__ const int fixed_constant = 2;
__constant__ int plain_constant = 3;
__device__ __constant__ int both[1] = {4};
__device__ int counter = 5, counters[2] = {6, 0};
__device__ const int *pointer_to_const;
const __device__ int before = 7;
__device__ float4 *elements;
template <class T> __device__ T identity(T x) { return x; }
__device__ __forceinline__ int operator+(int2 a, int b) { return a.x + b; }
static const int table[] = {8, 9};
struct Functor { __device__ int operator()(int i) const { return table[i]; } int n = 0; };
__global__ void k(int *out) {
  int values[] = {int(fixed[0]), fixed_constant, plain_constant, both[0], counter, counters[0],
                  before, Functor()(0), table[threadIdx.x + 1]};
  for (int i = 0; i < 9; ++i) out[i] = identity(values[i]);
  pointer_to_const = out;
  elements = nullptr;
  if (make_int2(1, 2) + 1 != 2) printf("wrong\n");
}
int main() {
  int *a, h[9];
  cudaMalloc(&a, sizeof h);
  k<<<1, 1>>>(a);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 9; ++i) printf("%d%c", h[i], i < 8 ? ' ' : '\n');
  cudaFree(a);
}
