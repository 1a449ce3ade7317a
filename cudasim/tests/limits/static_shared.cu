// build-error: static_shared.cu: 'k\(double\*\)' uses too much shared memory \(49160 bytes, at most 49152\)
__global__ void k(double *a) {
  __shared__ double s[6144], t;
  s[threadIdx.x] = a[0];
  t = a[1];
  __syncthreads();
  a[1] = s[2] + t;
}
int main() {}
