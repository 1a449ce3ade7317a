// mode: check
// finding: uninitialised_global.cu:5: kernel 'copy<float>', block \(0,0,0\) thread \(2,0,0\): read of element 2 of 'a' \(allocated at faults/uninitialised_global.cu:9\), which has no value yet
template <class T>
__global__ void copy(T *to, const T *from) {
  to[threadIdx.x] = from[threadIdx.x];
}
int main() {
  float h[2] = {}, *a, *b;
  cudaMalloc(&a, 16); cudaMalloc(&b, 16);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  copy<float><<<1, 4>>>(b, a);
  cudaFree(a);
  cudaFree(b);
}
