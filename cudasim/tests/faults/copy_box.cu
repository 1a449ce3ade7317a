// A box that is one slice too deep, and memory that the host took back from kernels.
// mode: check
// finding: copy_box.cu:16: host code: wrong copy: the source reaches from byte 9216 to 11808 of 'box' \(allocated at faults/copy_box.cu:11\), which has 9216 bytes
// finding: copy_box.cu:6: kernel 'k', block \(0,0,0\) thread \(0,0,0\): bad pointer: read through host memory
__global__ void k(float *to, const float *own) {
  to[threadIdx.x] = own[threadIdx.x]; }
int main() {
  static char host[64 * 7 * 4];
  cudaPitchedPtr box;
  cudaExtent extent = make_cudaExtent(32, 6, 3);
  cudaMalloc3D(&box, extent);
  cudaMemset3D(box, 0, extent);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = box, copy.dstPtr = make_cudaPitchedPtr(host, 64, 64, 7);
  copy.extent = make_cudaExtent(32, 6, 4), copy.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&copy);
  float *own = (float *)calloc(32, 4);
  cudaHostRegister(own, 128, cudaHostRegisterMapped);
  k<<<1, 32>>>((float *)box.ptr, own);
  cudaDeviceSynchronize();
  cudaHostUnregister(own);
  k<<<1, 32>>>((float *)box.ptr, own);
  cudaFree(box.ptr), free(own);
}
