#include <stdio.h>
#include <stdlib.h>
#include "gpu.h"
int main(void) {
  static double a[10];
  double *d = new_on_device(10), sum = 0;
  copy_to_device(d, a, 10);
  add_on_device(d + 2, 3, 1);
  free_on_device(d);
  for (int i = 0; i < 10; i++) sum += a[i];
  printf("%g\n", sum);
  return 0;
}
