// build-error: give cudaLaunchKernel the kernel itself, not a void pointer
__global__ void k(int) {}
int main() {
  int value = 1;
  void *arguments[] = {&value};
  return cudaLaunchKernel((void *)k, dim3(1), dim3(1), arguments);
}
