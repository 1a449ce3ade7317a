// mode: check
// finding: leak.cu:7: host code: leak: 400 bytes of device memory, 'b.data' \(allocated at faults/leak.cu:7\), are never freed
struct Array { float *data; };
int main() {
  Array a, b;
  cudaMalloc(&a.data, 400);
  cudaMalloc(&b.data, 400);
  cudaFree(a.data);
}
