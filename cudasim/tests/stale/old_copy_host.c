#include <stdio.h>
#include <stdlib.h>
#include "gpu.h"
int main(void) {
  double *a = calloc(10, sizeof *a), *d = new_on_device(10);
  copy_to_device(d, a, 10);
  a[3] = 1;
  add_on_device(d, 10, 1);
  free_on_device(d);
  free(a);
  return 0;
}
