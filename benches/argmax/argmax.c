/* The largest of many numbers, and the first place that has it.
 *
 * Usage: argmax [n]      (by default 1000000)
 */
#include "../bench.h"

static float argmax(int n, const float *restrict a, int *restrict place)
{
    float most = a[0];
    int at = 0;

#pragma scop
    for (int i = 1; i < n; i++)
        if (a[i] > most) {
            most = a[i];
            at = i;
        }
#pragma endscop

    *place = at;
    return most;
}

int main(int argc, char **argv)
{
    int n = size(argc, argv, 1, 1000000);
    float *a = drawn_floats(n, 1);

    int place;
    start_clock();
    float most = argmax(n, a, &place);
    stop_clock();
    double both[2] = {most, place};
    print_doubles("argmax", 2, both);

    free(a);
    return 0;
}
