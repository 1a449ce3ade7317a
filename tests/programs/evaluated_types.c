/* Elements that are read, or written, only where C evaluates a type. */
#include <stdio.h>

static int width[4] = {1, 2, 3, 4};
static double buffer[4096];

static double in_rows(const int *d, double m[][d[1]], int i, int j)
{
    return m[i][j];
}

static double of_global(double (*m)[width[2]], int i)
{
    return m[i][0];
}

static long counted(double m[(width[0] += 10)])
{
    return m != 0;
}

static void in_region(double m[][width[1]], int row)
{
#pragma scop
    for (int j = 0; j < 2; j++)
        m[row][j] += 1;
#pragma endscop
}

static void widen(void)
{
#pragma scop
    for (int i = 0; i < 4; i++)
        width[i] += i + 1;
#pragma endscop
}

int main(void)
{
    for (int i = 0; i < 4096; i++)
        buffer[i] = i;
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < 4; i++)
            width[i] += i + 1;
#pragma endscop
        printf("%g\n", ((double (*)[width[1]])buffer)[2][0]);
    }
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < 4; i++)
            width[i] += i + 1;
#pragma endscop
        printf("%g %g\n", in_rows(width, (void *)buffer, 2, 1), of_global((void *)buffer, 3));
    }
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < 4; i++)
            width[i] += i + 1;
#pragma endscop
        printf("%ld\n", counted(buffer));
    }
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < 4; i++)
            width[i] += i + 1;
#pragma endscop
        typeof((double (*)[width[1]++])buffer) m = (void *)buffer;
        printf("%g\n", m[1][0]);
    }
    for (int t = 0; t < 3; t++) {
        widen();
        in_region((void *)buffer, 2);
    }
    for (int i = 0; i < 4; i++)
        printf("%d\n", width[i]);
    double sum = 0;
    for (int i = 0; i < 4096; i++)
        sum += i * buffer[i];
    printf("%a\n", sum);
    return 0;
}
