#include <cstdio>
#include <vector>
#include "gpu.h"
int main() {
  std::vector<double> a(60, 1);
  double *d = new_on_device(60);
  copy_to_device(d, a.data(), 60);
  add_on_device(d + 20, 20, 1);
  std::printf("%g %g\n", a[19], a[40]);
  copy_to_host(&a[20], d + 20, 10);
  std::printf("%g\n", a[29]);
  a[0] = 7;
  for (int i = 30; i < 40; ++i) a[i] = 5;
  copy_to_device(d, a.data(), 1);
  copy_to_device(d + 30, &a[30], 10);
  add_on_device(d, 60, 1);
  copy_to_host(a.data(), d, 60);
  std::printf("%g %g %g\n", a[0], a[29], a[39]);
  free_on_device(d);
}
