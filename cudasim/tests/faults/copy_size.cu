// mode: check
// finding: copy_size.cu:8: host code: wrong copy: the destination reaches from byte 8 to 24 of 'a' \(allocated at faults/copy_size.cu:7\), which has 16 bytes
// finding: copy_size.cu:9: host code: wrong copy: the source reaches from byte 0 to 20 of 'a'
// finding: copy_size.cu:10: host code: wrong copy: the destination reaches from byte 0 to 17 of 'a'
int main() {
  int h[8] = {}, *a;
  cudaMalloc(&a, 16);
  cudaMemcpy(a + 2, h, 16, cudaMemcpyHostToDevice);
  cudaMemcpy(h, a, 20, cudaMemcpyDeviceToHost);
  cudaMemset(a, 0, 17);
  cudaFree(a);
}
