// mode: check
// finding: bounds_variables.cu:8: kernel 'k', .* out of bounds: read of 4 bytes, element 8 of 8, 4 bytes past the end of constant 'c'
// finding: bounds_variables.cu:9: kernel 'k', .* out of bounds: write of 4 bytes, element 8 of 8, 4 bytes past the end of device variable 'g'
// finding: bounds_variables.cu:10: kernel 'k', .* out of bounds: write of 4 bytes, element 9 of 8, 8 bytes past the end of device variable 'last'
__constant__ float c[8];
__device__ float g[8] = {1}, last[8] = {2};
__device__ void work(const float *constant, float *first, float *second, int n) {
  float x = constant[n];
  first[n] = x;
  second[n + 1] = x;
}
__global__ void k(int n) { work(c, g, last, n); }
int main() { k<<<1, 1>>>(8); }
