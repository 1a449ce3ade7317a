// mode: check
// finding: copy_symbol.cu:10: host code: wrong copy: the copy reaches from byte 0 to 32 of constant 'c', which has 16 bytes
// finding: copy_symbol.cu:11: host code: wrong copy: the copy reaches from byte 4 to 20 of device variable 'g', which has 16 bytes
// finding: copy_symbol.cu:12: host code: wrong copy: the copy reaches from byte 0 to 20 of device variable 'g', which has 16 bytes
// finding: copy_symbol.cu:13: host code: wrong copy: the destination is constant 'c', but the direction says host memory
__constant__ int c[4];
__device__ int g[4];
int main() {
  int h[8] = {0};
  cudaMemcpyToSymbol(c, h, 32);
  cudaMemcpyToSymbol(g, h, 16, 4);
  cudaMemcpyFromSymbol(h, g, 20);
  cudaMemcpyToSymbol(c, h, 16, 0, cudaMemcpyDeviceToHost);
}
