#include <cstdio>
#include "gpu.h"
int main() {
  double *a = new double[10](), *d = new_on_device(10);
  copy_to_device(d, a, 10);
  add_on_device(d, 5, 1);
  for (int i = 5; i < 10; ++i) a[i] = i;
  copy_to_host(a, d, 10);
  std::printf("%g\n", a[9]);
  free_on_device(d);
  delete[] a;
}
