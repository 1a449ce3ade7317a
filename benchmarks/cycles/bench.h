/* What the programs of this folder share, in C and in CUDA C++: sizes, memory, data and output. */
#ifndef BENCH_H
#define BENCH_H

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* They stand around the computation. `scripts/bench gpu` defines BENCH_CLOCK, and links clock.c or clock.cu. */
#ifdef BENCH_CLOCK
#ifdef __cplusplus
extern "C" {
#endif
void start_clock(void);
void stop_clock(void);
#ifdef __cplusplus
}
#endif
#else
static inline void start_clock(void)
{
}

static inline void stop_clock(void)
{
}
#endif

/* The size given as argument number `which`, or else the default; at least 1. */
static inline int size(int argc, char **argv, int which, int otherwise)
{
    int value = which < argc ? atoi(argv[which]) : otherwise;
    return value > 1 ? value : 1;
}

static inline void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (memory == NULL) {
        perror("allocate");
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* Multiples of 2^-16 in [0, 1) without a pattern; another sequence for each seed. */
static inline float draw(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 16) / 65536.0f;
}

static inline float *drawn_floats(size_t count, unsigned seed)
{
    float *values = (float *)allocate(count * sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = draw(&seed);
    return values;
}

static inline double *drawn_doubles(size_t count, unsigned seed)
{
    double *values = (double *)allocate(count * sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = draw(&seed);
    return values;
}

static inline float *zero_floats(size_t count)
{
    float *values = (float *)allocate(count * sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = 0.0f;
    return values;
}

static inline double *zero_doubles(size_t count)
{
    double *values = (double *)allocate(count * sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = 0.0;
    return values;
}

/* A step of FNV-1a. */
static inline uint64_t with_bytes(uint64_t checksum, const void *value, size_t bytes)
{
    for (size_t b = 0; b < bytes; b++)
        checksum = (checksum ^ ((const unsigned char *)value)[b]) * 1099511628211u;
    return checksum;
}

#define EMPTY_CHECKSUM 14695981039346656037u

/* One line about an array. In the checksum a difference in any bit shows. The numbers behind it serve a comparison
 * within a tolerance: `weight` is a sum of magnitudes, so nothing cancels out in it, and its factors tell
 * elements apart that changed places. */
static inline void print_line(const char *name, size_t count, uint64_t checksum, double weight, double first,
                              double middle, double last)
{
    printf("%s: %zu values, checksum %016" PRIx64 ", weight %.12e, first %.12e, middle %.12e, last %.12e\n", name,
           count, checksum, weight, first, middle, last);
}

static inline void print_floats(const char *name, size_t count, const float *values)
{
    uint64_t checksum = EMPTY_CHECKSUM;
    double weight = 0.0;
    for (size_t i = 0; i < count; i++) {
        checksum = with_bytes(checksum, &values[i], sizeof values[i]);
        weight += (double)(1 + i % 13) * fabs((double)values[i]);
    }
    print_line(name, count, checksum, weight, values[0], values[count / 2], values[count - 1]);
}

static inline void print_doubles(const char *name, size_t count, const double *values)
{
    uint64_t checksum = EMPTY_CHECKSUM;
    double weight = 0.0;
    for (size_t i = 0; i < count; i++) {
        checksum = with_bytes(checksum, &values[i], sizeof values[i]);
        weight += (double)(1 + i % 13) * fabs(values[i]);
    }
    print_line(name, count, checksum, weight, values[0], values[count / 2], values[count - 1]);
}

#endif
