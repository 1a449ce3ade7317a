#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 50, SIZE = 512 };

void gpu_steps(int *a, int n, int rounds);
int gpu_counted(void);

static _Thread_local int mine[SIZE];
static int sums[THREADS];

static int work(int seed) {
  for (int i = 0; i < SIZE; i++) mine[i] = i * (seed + 3) % 101;
  gpu_steps(mine, SIZE, ROUNDS);
  int sum = 0;
  for (int i = 0; i < SIZE; i++) sum = sum * 31 % 1000003 + mine[i];
  return sum;
}

static void *run(void *seed) {
  sums[(long)seed] = work((int)(long)seed);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, run, (void *)t);
  for (long t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
  for (int t = 0; t < THREADS; t++) printf("%d %s\n", t, sums[t] == work(t) ? "as alone" : "differs");
  printf("%d counted\n", gpu_counted());
}
