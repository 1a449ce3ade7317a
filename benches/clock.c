/* The clock of C programs: prints how many seconds passed. */
#include <stdio.h>
#include <time.h>

#include "bench.h"

static struct timespec start;

void start_clock(void)
{
    clock_gettime(CLOCK_MONOTONIC, &start);
}

void stop_clock(void)
{
    struct timespec stop;
    clock_gettime(CLOCK_MONOTONIC, &stop);
    double seconds = (double)(stop.tv_sec - start.tv_sec) + 1e-9 * (double)(stop.tv_nsec - start.tv_nsec);
    fprintf(stderr, "seconds %.9f\n", seconds);
}
