/* Jumps to labels: out of blocks whose arrays are on the device, before such an array is declared, and back. */
#include <stdio.h>
#include <stdlib.h>

static void grow(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0.5 * a[i] + 1.0;
#pragma endscop
}

/* The usual way to clean up. */
static int cleaning_up(int n, int steps)
{
    int result = -1;
    double *a = malloc(n * sizeof(double));
    double t[100];
    if (!a)
        goto fail;
    if (n > 100)
        goto freeing;
    for (int i = 0; i < n; i++)
        a[i] = t[i] = i;
    for (int s = 0; s < steps; s++) {
        grow(n, a);
        grow(n, t);
        if (s == 7)
            goto freeing;
    }
    printf("%g %g\n", a[n / 3], t[n / 2]);
    result = 0;
freeing:
    free(a);
fail:
    return result;
}

/* Control leaves before the array is declared, with another one on the device. */
static double before_the_declaration(int n, int way)
{
    double v[100];
    for (int i = 0; i < n; i++)
        v[i] = i;
    grow(n, v);
    grow(n, v);
    if (way == 2)
        goto out;
    if (way == 3)
        return 5.0;
    double u[100];
    for (int i = 0; i < n; i++)
        u[i] = v[i];
    for (int s = 0; s < 4; s++) {
        grow(n, u);
        grow(n, v);
        if (way == 9)
            return 7.0;
    }
    return u[n / 3] + v[n / 2];
out:
    return v[n / 3];
}

/* Labels in a block and in another one. */
static double again(int n, const double *v, int way)
{
    double sum = 0.0;
    for (int q = 0; q < 3; q++) {
retry:
        if (way == 3) {
            way++;
            goto retry;
        }
        double u[100];
        for (int i = 0; i < n; i++)
            u[i] = v[i];
        grow(n, u);
        grow(n, u);
        sum += u[n / 3];
    }
    if (sum > 100.0)
        goto done;
    sum += 1.0;
done:
    return sum;
}

/* Back to before the declaration. */
static double back(int n, double *v)
{
    double sum = 0.0;
    int round = 0;
    {
more:
        grow(n, v);
        if (round == 3)
            goto out;
        double u[100];
        for (int i = 0; i < n; i++)
            u[i] = v[i];
        grow(n, u);
        grow(n, u);
        sum += u[n / 3];
        round++;
        goto more;
    }
out:
    return sum + v[n / 2];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 40;
    printf("%d\n", cleaning_up(n, 5) + cleaning_up(n + 100, 5) + cleaning_up(n, 9));
    for (int way = 0; way < 10; way++)
        printf("%g\n", before_the_declaration(n, way));
    double v[100];
    for (int i = 0; i < n; i++)
        v[i] = i;
    for (int s = 0; s < 5; s++) {
        grow(n, v);
        printf("%g\n", again(n, v, s));
        grow(n, v);
    }
    printf("%g\n", back(n, v));
    return 0;
}
