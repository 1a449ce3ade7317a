// mode: fast
// output: 9 9 9 9 9 9 9 9 0 0 0 1 0
__global__ void k() {}
int main() {
  dim3 bad[][2] = {{0, 1}, {1, 0}, {1, 1025}, {1, dim3(1, 1, 65)}, {1, dim3(32, 33)},
                   {dim3(1, 65536), 1}, {dim3(1, 1, 65536), 1}, {0x80000000u, 1}};
  for (auto &shape : bad) {
    k<<<shape[0], shape[1]>>>();
    printf("%d ", cudaGetLastError());
  }
  k<<<1, dim3(16, 1, 64)>>>(), printf("%d ", cudaGetLastError());
  k<<<dim3(1, 65535, 2), 1>>>(), printf("%d ", cudaGetLastError());
  k<<<1, 1, 49152>>>(), printf("%d ", cudaGetLastError());
  k<<<1, 1, 49153>>>(), printf("%d ", cudaGetLastError());
  printf("%d\n", cudaGetLastError());
}
