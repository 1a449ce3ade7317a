// mode: check
// finding: copy_direction.cu:10: host code: wrong copy: the destination is 'a' .*, but the direction says host memory
// finding: copy_direction.cu:11: host code: wrong copy: the destination is host memory, but the direction says device
// finding: copy_direction.cu:12: host code: wrong copy: the source is host memory, but the direction says device
// output: 1 1 1
int main() {
  int h[4] = {}, *a;
  cudaMalloc(&a, sizeof h);
  int r[3];
  r[0] = cudaMemcpy(a, h, sizeof h, cudaMemcpyDeviceToHost);
  r[1] = cudaMemcpy(h, h, sizeof h, cudaMemcpyHostToDevice);
  r[2] = cudaMemcpy(a, h, sizeof h, cudaMemcpyDeviceToDevice);
  printf("%d %d %d\n", r[0], r[1], r[2]);
  cudaFree(a);
}
