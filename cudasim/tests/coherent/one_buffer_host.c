#include <stdio.h>
#include "gpu.h"
/* One buffer fills two arrays, and takes what comes back. */
int main(void) {
  double buffer[8], *d = new_on_device(8), *e = new_on_device(8), sum = 0;
  for (int i = 0; i < 8; i++) buffer[i] = i;
  copy_to_device(d, buffer, 8);
  for (int i = 0; i < 8; i++) buffer[i] = 10 * i;
  copy_to_device(e, buffer, 8);
  add_on_device(d, 8, 1);
  add_on_device(e, 8, 1);
  copy_to_host(buffer, d, 8);
  sum += buffer[7];
  copy_to_host(buffer, e, 8);
  sum += buffer[7];
  add_on_device(d, 8, 1);
  printf("%g\n", sum);
  free_on_device(d);
  free_on_device(e);
  return 0;
}
