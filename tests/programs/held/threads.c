// Not translated: two threads work on arrays of their own; the main thread reads the results.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "c2cuda.h"

enum { N = 200, STEPS = 20 };

void step(int n, const double *restrict old, double *restrict new);
void add(int n, double *u, double c);

static double u[2][N], v[2][N];

static void *work(void *argument)
{
    const int me = *(int *)argument;
    c2cuda_data_begin(u[me], sizeof u[me]);
    c2cuda_data_begin(v[me], sizeof v[me]);
    for (int t = 0; t < STEPS; t++) {
        step(N, u[me], v[me]);
        add(N, v[me], me + 1);
        step(N, v[me], u[me]);
        c2cuda_data_writes(&u[me][0], sizeof u[me][0]);
        u[me][0] += me + 1;
    }
    // The main thread ends what this thread held of `u`.
    c2cuda_data_end(v[me], sizeof v[me]);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int me = 0; me < 2; me++)
        pthread_create(&threads[me], NULL, work, &numbers[me]);
    for (int me = 0; me < 2; me++)
        pthread_join(threads[me], NULL);
    for (int me = 0; me < 2; me++) {
        double sum = 0;
        c2cuda_data_end(u[me], sizeof u[me]);
        for (int i = 0; i < N; i++)
            sum += u[me][i] * i + v[me][i];
        printf("%.17g %.17g\n", sum, u[me][N / 2]);
    }
}
