// mode: check
// finding: misaligned.cu:6: kernel 'k', block \(0,0,0\) thread \(0,0,0\): misaligned: read of 8 bytes at an address that is no multiple of 8
// finding: misaligned.cu:7: kernel 'k', block \(0,0,0\) thread \(0,0,0\): misaligned: write of 4 bytes at an address that is no multiple of 4
struct __attribute__((packed)) Record { char kind; double value; };
__global__ void k(char *bytes, Record *records, double *out) {
  *out = *(double *)(bytes + 12) + records[1].value;
  *(int *)(bytes + 2) = 1;
}
int main() {
  char *bytes;
  Record *records;
  double *out;
  cudaMalloc(&bytes, 64), cudaMalloc(&records, 4 * sizeof(Record)), cudaMalloc(&out, 8);
  cudaMemset(bytes, 0, 64), cudaMemset(records, 0, 4 * sizeof(Record));
  k<<<1, 1>>>(bytes, records, out);
  cudaFree(bytes), cudaFree(records), cudaFree(out);
}
