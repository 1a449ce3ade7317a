#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gpu.h"
static double on_stack(int n) {
  double a[64], *d = new_on_device(64);
  for (int i = 0; i < 64; i++) a[i] = n;
  copy_to_device(d, a, 64);
  add_on_device(d, 64, 1);
  double before;
  copy_to_host(&before, d, 1);
  free_on_device(d);
  return before;
}
static double sum_on_stack(int n) {
  volatile double a[64];
  double sum = 0;
  for (int i = 0; i < n; i++) a[i] = 1;
  for (int i = 0; i < n; i++) sum += a[i];
  return sum;
}
int main(void) {
  for (int t = 0; t < 3; t++) {
    double *a = malloc(1000 * sizeof *a), *d = new_on_device(1000);
    memset(a, 0, 1000 * sizeof *a);
    copy_to_device(d, a, 1000);
    add_on_device(d, 1000, 1);
    free_on_device(d);
    free(a);
    a = calloc(1000, sizeof *a);
    printf("%g", a[5]);
    a = realloc(a, 2000 * sizeof *a);
    printf(" %g", a[6]);
    free(a);
    printf(" %g", on_stack(t));
    printf(" %g\n", sum_on_stack(64));
  }
  return 0;
}
