// mode: check
// finding: wrong_free.cu:9: host code: wrong free: double free of 'a' .*, freed before at faults/wrong_free.cu:8
// finding: wrong_free.cu:10: host code: wrong free: cudaFree of a pointer that cudaMalloc did not give
// finding: wrong_free.cu:11: host code: wrong free: cudaFree of a pointer into the middle of 'b'
int main() {
  int *a, *b, *h = (int *)malloc(16);
  cudaMalloc(&a, 16); cudaMalloc(&b, 16);
  cudaFree(a);
  cudaFree(a);
  cudaFree(h);
  cudaFree(b + 1);
  cudaFree(b);
  free(h);
}
