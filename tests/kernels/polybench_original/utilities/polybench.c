/* Time and memory for programs of the PolyBench suite. */
#define _POSIX_C_SOURCE 200809L
#include <polybench.h>

#include <stdio.h>
#include <time.h>

static double begin, end;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void polybench_timer_start(void)
{
    begin = seconds();
}

void polybench_timer_stop(void)
{
    end = seconds();
}

void polybench_timer_print(void)
{
    printf("%0.6f\n", end - begin);
}

void *polybench_alloc_data(unsigned long long count, size_t element)
{
    void *memory = calloc(count, element);
    if (memory == NULL) {
        perror("polybench_alloc_data");
        exit(EXIT_FAILURE);
    }
    return memory;
}
