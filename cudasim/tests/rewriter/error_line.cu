// build-error: error_line.cu:6:[0-9]+: error: .undeclared. was not declared
__global__ void k(int *a) { a[0] = 1; }
int main() {
  k<<<1,
      1>>>(nullptr);
  return undeclared;
}
