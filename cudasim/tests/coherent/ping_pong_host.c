#include <stdio.h>
#include "gpu.h"
/* Both begin with the same values, and only one of them comes back. */
int main(void) {
  double a[8] = {1, 2, 3}, *from = new_on_device(8), *to = new_on_device(8);
  copy_to_device(from, a, 8);
  copy_to_device(to, a, 8);
  for (int t = 0; t < 5; t++) {
    double *swapped = from;
    add_on_device(from, 8, t);
    add_on_device(to, 8, 1);
    from = to, to = swapped;
  }
  copy_to_host(a, to, 8);
  printf("%g\n", a[2]);
  free_on_device(from);
  free_on_device(to);
  return 0;
}
