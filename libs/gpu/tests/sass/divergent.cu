// Two warps part, as even lanes load and odd lanes store; a third does not part.
__global__ void parts(float *to, const volatile float *from, int first) {
  int i = threadIdx.x;
  float sum = 0;
  if (i >= first || i % 2 == 0) {
    sum += from[i] * 2;
    sum += from[i + 96] * 3;
    sum += from[i + 192] * 5;
  } else {
    for (int k = 0; k < 2; ++k)
      to[96 * k + i] = sum;
    __threadfence();
  }
  to[i + 288] = sum;
}

int main() {
  float *a, *b;
  cudaMalloc(&a, 4096), cudaMalloc(&b, 4096);
  cudaMemset(a, 0, 4096);
  parts<<<1, 96>>>(b, a, 64);
}
