#include <stdio.h>
#include <string.h>
#include "gpu.h"
/* What code without instrumentation writes counts as written. */
int main(void) {
  static double a[4], b[4];
  double *d = new_on_device(4);
  copy_to_device(d, a, 4);
  add_on_device(d, 4, 1);
  if (sscanf("7 8 9", "%lf%lf%lf", &a[0], &a[1], &a[2]) != 3) return 1;
  a[3] = 10;
  copy_to_device(d, a, 4);
  add_on_device(d, 4, 1);
  memset(a, 0, sizeof a);
  copy_to_device(d, a, 4);
  add_on_device(d, 4, 1);
  memcpy(a, b, sizeof a);
  printf("%g\n", a[1]);
  free_on_device(d);
  return 0;
}
