/* What the test programs share: the size, data without patterns that hide faults, and output in which a
 * difference in any bit shows. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static inline int size_of_run(int argc, char **argv)
{
    return argc > 1 ? atoi(argv[1]) : 20;
}

static inline void *allocate(size_t count, size_t element)
{
    void *memory = calloc(count + 1, element);
    if (memory == NULL)
        abort();
    return memory;
}

static inline unsigned draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static inline double *doubles(size_t count)
{
    double *values = allocate(count, sizeof *values);
    unsigned state = 1 + (unsigned)count;
    for (size_t i = 0; i < count; i++)
        values[i] = draw(&state) / 65536.0 - 0.25;
    return values;
}

static inline float *floats(size_t count)
{
    float *values = allocate(count, sizeof *values);
    unsigned state = 2 + (unsigned)count;
    for (size_t i = 0; i < count; i++)
        values[i] = draw(&state) / 65536.0f - 0.25f;
    return values;
}

/* Whole numbers of any type, as bytes. */
static inline void *bytes(size_t count, size_t element)
{
    unsigned char *values = allocate(count, element);
    unsigned state = 3 + (unsigned)count;
    for (size_t i = 0; i < count * element; i++)
        values[i] = (unsigned char)draw(&state);
    return values;
}

static inline void show(const char *name, const void *values, size_t count, size_t element)
{
    const unsigned char *byte = values;
    uint64_t checksum = 14695981039346656037u;
    for (size_t i = 0; i < count * element; i++)
        checksum = (checksum ^ byte[i]) * 1099511628211u;
    printf("%s: %016" PRIx64 "\n", name, checksum);
}

#define SHOW(values, count) show(#values, values, count, sizeof *(values))
