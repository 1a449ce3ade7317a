#include <stdio.h>
#include "gpu.h"
static double a[100], b[100];
int main(void) {
  double *d = new_on_device(100);
  for (int i = 0; i < 100; i++) a[i] = i;
  copy_to_device(d, a, 100);
  for (int t = 0; t < 10; t++) {
    add_on_device(d, 100, t);
    for (int i = 0; i < 100; i++) b[i] += i;
  }
  copy_to_host(a, d, 100);
  printf("%g %g\n", a[99], b[99]);
  for (int i = 0; i < 100; i++) a[i] = 0;
  copy_to_device(d, a, 100);
  add_on_device(d, 100, 1);
  free_on_device(d);
  return 0;
}
