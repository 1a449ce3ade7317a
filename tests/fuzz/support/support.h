#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Memory for some elements. */
void *supply(size_t count, size_t element);

/* Gives it back. */
void release(void *values);

/* Tells what the program computed. */
void show(const char *name, const void *values, size_t count, size_t element);

#ifdef __cplusplus
}
#endif

/* A number without a pattern, for each place of each array. */
static inline unsigned draw(size_t place, unsigned array)
{
    unsigned state = (unsigned)place * 2654435761u + array * 40503u + 12345u;
    state ^= state >> 15;
    state *= 2246822519u;
    state ^= state >> 13;
    state *= 3266489917u;
    return state ^ state >> 16;
}
