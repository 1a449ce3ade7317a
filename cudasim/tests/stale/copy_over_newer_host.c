#include <stdio.h>
#include <stdlib.h>
#include "gpu.h"
int main(void) {
  static double a[10];
  double *d = new_on_device(10);
  copy_to_device(d, a, 10);
  add_on_device(d, 10, 1);
  copy_to_device(d, a, 5);
  copy_to_host(a, d, 10);
  printf("%g %g\n", a[4], a[5]);
  free_on_device(d);
  return 0;
}
