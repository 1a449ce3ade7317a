// output: strings "k<<<1, 2>>>(3)" and '<' stay
// output: 26
#include <vector>
#include "kernels.cuh"
namespace ns { __global__ void add(int *a, int n) { atomicAdd(a, n); } }
template <class T, int N> __global__ void add_n(T *a) { atomicAdd(a, N); }
template <class T> __global__ void deduced(T *a, const T *b, size_t n) { atomicAdd(a, b ? 100 : int(n)); }
template <class... Ts> __global__ void many(int *a, Ts... values) { atomicAdd(a, (values + ... + 0)); }
__global__ void overloaded(int *a) { atomicAdd(a, 1); }
__global__ void overloaded(int *a, int n) { atomicAdd(a, n); }
extern "C" __global__ void __launch_bounds__(64, 2) plain(int *a) { atomicAdd(a, 1); }
// a comment: k<<<1, 1>>>(a);
/* and ns::add<<<1, 1>>>(a, 1000); */
#define LAUNCH(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)
#define CHECKED(call) do { call; if (cudaGetLastError()) exit(1); } while (0)
template <class T> void launch_in_template(T *a) { add_n<T, 1><<<dim3(1), dim3(1)>>>(a); }
struct Holder { void (*kernel)(int *, int); };
int next() { static int n; return ++n; }
int main() {
  int *a, h = 0, one = 1;
  cudaMalloc(&a, 4);
  cudaMemset(a, 0, 4);
  ns::add<<<1, 1>>>(a, 1);
  ::ns::add <<< 1, 1, 0 >>> (a, 1);
  add_n<int, 3><<<1, 1>>>(a);
  add_n<int,
        (2 > 1 ? 1 : 0)><<<dim3(1, 1),
                           one << 0>>>
      (a);
  deduced<<<1, 1>>>(a, (const int *)nullptr, 1);
  deduced<int><<<1, 1>>>(a, NULL, 1);
  deduced<int><<<1, 1>>>(a, 0, 1);
  many<<<1, 1>>>(a, 1, 1L, 'a' - 'b' + 1);
  plain<<<sizeof(std::vector<std::vector<int>>) / sizeof(std::vector<int>), 1>>>(a);
  LAUNCH(ns::add, a, 1);
  CHECKED((add_n<int, 1><<<1, 1>>>(a)));
  CHECKED(plain<<<1, 1>>>(a));
  launch_in_template(a);
  Holder holder{ns::add}, *pointer = &holder;
  void (*table[2])(int *, int) = {ns::add, ns::add};
  holder.kernel<<<1, 1>>>(a, 1);
  pointer->kernel<<<1, 1>>>(a, 1);
  table[one]<<<1, 1>>>(a, 1);
  (*table[0])<<<1, 1>>>(a, 1);
  if (one) plain<<<1, 1>>>(a); else plain<<<1, 100>>>(a);
  ns::add<<<1, 1>>>(a, next());
  for (int i = 0; i < 1; ++i) header_kernel<<<1, 1, 4>>>(a);
  header_launch(a);
  overloaded<<<1, 1>>>(a);
  overloaded<<<1, 1>>>(a, 1);
  int shifted = 8 >> 1 >> 2;
  std::vector<std::vector<std::vector<int>>> nested(1);
  ns::add<<<nested.size(), 1>>>(a, shifted - 1);
  cudaMemcpy(&h, a, 4, cudaMemcpyDeviceToHost);
  puts("strings \"k<<<1, 2>>>(3)\" and '<' stay");
  printf("%d\n", h);
  cudaFree(a);
}
