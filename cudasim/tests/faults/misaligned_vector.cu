// mode: check
// at-least
// finding: misaligned_vector.cu:9: kernel 'k', .* misaligned: access to '.*double2' at an address that is no multiple of 16
// finding: misaligned_vector.cu:11: kernel 'k', .* misaligned: access to '.*float4' at an address that is no multiple of 16
// A structure of two doubles may be where a double2 may not.
struct Pair { double a, b; };
__global__ void k(double *p, float *q) {
  Pair pair = *(Pair *)(p + 1);
  double x = ((double2 *)(p + 1))->x;
  *p = pair.a + pair.b + x;
  *(float4 *)(q + 1) = make_float4(1, 2, 3, 4);
}
int main() {
  double *p;
  float *q;
  cudaMalloc(&p, 64), cudaMalloc(&q, 64);
  cudaMemset(p, 0, 64);
  k<<<1, 1>>>(p, q);
  cudaFree(p), cudaFree(q);
}
