/* The smallest and the largest of many numbers.
 *
 * Usage: extremes [n]      (by default 1000000)
 */
#include "../bench.h"

static void extremes(int n, const int *restrict a, int *restrict least, int *restrict most)
{
    int low = a[0], high = a[0];

#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] < low)
            low = a[i];
        if (a[i] > high)
            high = a[i];
    }
#pragma endscop

    *least = low;
    *most = high;
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 1000000);
    float *drawn = drawn_floats(n, 1);
    int *a = (int *)allocate(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = (int)(drawn[i] * 65536.0f) * 4096 - 100000000;

    int least, most;
    start_clock();
    extremes(n, a, &least, &most);
    stop_clock();
    double both[2] = {least, most};
    print_doubles("extremes", 2, both);

    free(drawn);
    free(a);
    return 0;
}
