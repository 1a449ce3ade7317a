// Of four warps, two store a number that the others do not: nvcc gives the store a predicate.
__global__ void some(float *to, const float *from, int n) {
  int i = threadIdx.x;
  float here = from[i];
  if (i < n)
    to[i] = here;
  to[i + 128] = here + 1;
}

int main() {
  float *a, *b;
  cudaMalloc(&a, 4096), cudaMalloc(&b, 4096);
  cudaMemset(a, 0, 4096);
  some<<<1, 128>>>(b, a, 64);
}
