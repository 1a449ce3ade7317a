/* Heat flow in a cube: each point exchanges heat with its six neighbours, in each time step once
 * from `now` to `next` and once back. The boundary keeps its temperature.
 *
 * Usage: heat3d [n [steps]]      (by default 40 8)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void heat3d(int n, int steps, float diffusion, float now[n][n][n], float next[n][n][n])
{
    int t, i, j, k;

#pragma scop
    for (t = 1; t <= steps; t++) {
        for (i = 1; i <= n - 2; i++)
            for (j = 1; j <= n - 2; j++)
                for (k = 1; k <= n - 2; k++)
                    next[i][j][k] = now[i][j][k]
                        + diffusion * (now[i + 1][j][k] - 2.0f * now[i][j][k] + now[i - 1][j][k])
                        + diffusion * (now[i][j + 1][k] - 2.0f * now[i][j][k] + now[i][j - 1][k])
                        + diffusion * (now[i][j][k + 1] - 2.0f * now[i][j][k] + now[i][j][k - 1]);
        for (i = 1; i <= n - 2; i++)
            for (j = 1; j <= n - 2; j++)
                for (k = 1; k <= n - 2; k++)
                    now[i][j][k] = next[i][j][k]
                        + diffusion * (next[i + 1][j][k] - 2.0f * next[i][j][k] + next[i - 1][j][k])
                        + diffusion * (next[i][j + 1][k] - 2.0f * next[i][j][k] + next[i][j - 1][k])
                        + diffusion * (next[i][j][k + 1] - 2.0f * next[i][j][k] + next[i][j][k - 1]);
    }
#pragma endscop
}

/* The size given as argument number `which`, or else the default. */
static int size(int argc, char **argv, int which, int otherwise)
{
    int value = which < argc ? atoi(argv[which]) : otherwise;
    return value > 0 ? value : 0;
}

static void *allocate(size_t count, size_t element)
{
    void *memory = calloc(count > 0 ? count : 1, element);
    if (memory == NULL) {
        perror("allocate");
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* One line on which a difference in any bit of the array shows. */
static void print_array(const char *name, size_t count, const float *values)
{
    const unsigned char *bytes = (const unsigned char *)values;
    uint64_t checksum = 14695981039346656037u;
    for (size_t b = 0; b < count * sizeof *values; b++)
        checksum = (checksum ^ bytes[b]) * 1099511628211u;
    printf("%s: %zu values, checksum %016" PRIx64, name, count, checksum);
    if (count > 0)
        printf(", first %a, middle %a, last %a", values[0], values[count / 2], values[count - 1]);
    putchar('\n');
}

static void fill(int n, float now[n][n][n], float next[n][n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                now[i][j][k] = next[i][j][k] = 20.0f + (7 * i + 5 * j + 3 * k) % 41;
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 40);
    int steps = size(argc, argv, 2, 8);
    size_t points = (size_t)n * n * n;
    void *now = allocate(points, sizeof(float));
    void *next = allocate(points, sizeof(float));

    fill(n, now, next);
    heat3d(n, steps, 0.125f, now, next);
    print_array("now", points, now);

    free(now);
    free(next);
    return 0;
}
