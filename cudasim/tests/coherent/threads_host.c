#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "gpu.h"
static void *work(void *result) {
  double on_stack[100], *on_heap = malloc(sizeof on_stack), *d = new_on_device(100);
  for (int t = 0; t < 20; t++) {
    double *a = t % 2 ? on_stack : on_heap;
    for (int i = 0; i < 100; i++) a[i] = i;
    copy_to_device(d, a, 100);
    add_on_device(d, 100, 2);
    copy_to_host(a, d, 100);
    *(double *)result += a[t];
  }
  free_on_device(d);
  free(on_heap);
  return NULL;
}
int main(void) {
  pthread_t threads[8];
  double results[8] = {0}, sum = 0;
  for (int i = 0; i < 8; i++) pthread_create(&threads[i], NULL, work, &results[i]);
  for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL), sum += results[i];
  printf("%g\n", sum);
  return 0;
}
