/* What the kernels of this folder share: the type of the data and its functions under the names that the
 * PolyBench suite gives them, sizes from the command line, data without patterns that hide faults, and output
 * in which a difference in any bit shows.
 *
 * A kernel may define DATA_TYPE_IS_INT or DATA_TYPE_IS_FLOAT before it includes this; otherwise it is double.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#if defined DATA_TYPE_IS_INT
#define DATA_TYPE int
#elif defined DATA_TYPE_IS_FLOAT
#define DATA_TYPE float
#define SCALAR_VAL(x) x##f
#define SQRT_FUN(x) sqrtf(x)
#define EXP_FUN(x) expf(x)
#define POW_FUN(x, y) powf(x, y)
#else
#define DATA_TYPE double
#define SCALAR_VAL(x) x
#define SQRT_FUN(x) sqrt(x)
#define EXP_FUN(x) exp(x)
#define POW_FUN(x, y) pow(x, y)
#endif

/* The size given as argument number `which`, or else the default. */
static inline int size(int argc, char **argv, int which, int otherwise)
{
    int value = which < argc ? atoi(argv[which]) : otherwise;
    return value > 0 ? value : 0;
}

static inline void *allocate(size_t count, size_t element)
{
    void *memory = calloc(count > 0 ? count : 1, element);
    if (memory == NULL) {
        perror("allocate");
        exit(EXIT_FAILURE);
    }
    return memory;
}

static inline void *array_1d(int n)
{
    return allocate((size_t)n, sizeof(DATA_TYPE));
}

static inline void *array_2d(int n, int m)
{
    return allocate((size_t)n * m, sizeof(DATA_TYPE));
}

static inline void *array_3d(int n, int m, int l)
{
    return allocate((size_t)n * m * l, sizeof(DATA_TYPE));
}

/* A number of 16 bits for element (i, j) of an array: the same in every run, and no two arrays alike. */
static inline unsigned noise(char array, int i, int j)
{
    unsigned state = (unsigned char)array * 2654435761u + (unsigned)i * 40503u + (unsigned)j;
    state = (state ^ state >> 15) * 2246822519u;
    state = (state ^ state >> 13) * 3266489917u;
    return state >> 16;
}

/* The same as a fraction from -1/4 to 3/4. The divisor is no power of two, so that products and sums round, and
 * their order shows. */
static inline DATA_TYPE fraction(char array, int i, int j)
{
    return (DATA_TYPE)(noise(array, i, j) / 65535.0 - 0.25);
}

static inline void refuse_infinite(const char *name, size_t count, const DATA_TYPE *values)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite((double)values[i])) {
            fprintf(stderr, "%s: value %zu is not finite\n", name, i);
            exit(EXIT_FAILURE);
        }
}

/* One line on which a difference in any bit of the array shows. */
static inline void print_values(const char *name, size_t count, const void *array)
{
    const DATA_TYPE *values = array;
    const unsigned char *bytes = array;
    uint64_t checksum = 14695981039346656037u;
    for (size_t b = 0; b < count * sizeof *values; b++)
        checksum = (checksum ^ bytes[b]) * 1099511628211u;
    printf("%s: %zu values, checksum %016" PRIx64, name, count, checksum);
    if (count > 0)
        printf(", first %a, middle %a, last %a", (double)values[0], (double)values[count / 2],
               (double)values[count - 1]);
    putchar('\n');
    fflush(stdout);
    refuse_infinite(name, count, values);
}

static inline void print_1d(const char *name, int n, const void *array)
{
    print_values(name, (size_t)n, array);
}

static inline void print_2d(const char *name, int n, int m, const void *array)
{
    print_values(name, (size_t)n * m, array);
}

static inline void print_3d(const char *name, int n, int m, int l, const void *array)
{
    print_values(name, (size_t)n * m * l, array);
}
