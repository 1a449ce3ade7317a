/* Values that may come from one place or another: a write that may not happen, a host statement that scatters into what
   a kernel wrote, an iterator that ends at the smaller of a signed and an unsigned bound. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 300, M = 5 };

static double b[N], c[N][M], d[N];

/* t[i] is written by the first loop, in another thread, and perhaps once more by the second. */
static void perhaps_written_again(int n, int m)
{
#pragma scop
    {
        double t[N];
        for (int i = 0; i < n; i++)
            t[n - 1 - i] = b[i];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < m; j++)
                if (c[i][j] > 0)
                    t[i] = c[i][j];
            d[i] = t[i];
        }
    }
#pragma endscop
}

static double from[100], to[100];
static int place[10] = { 3, 5, 7, 9, 11, 13, 15, 17, 19, 21 };
static long double weight[10];

/* `long double` keeps the second loop on the host. */
static void scattered_by_the_host(void)
{
#pragma scop
    for (int i = 0; i < 100; i++)
        to[i] = 2 * from[i];
    for (int i = 0; i < 10; i++)
        to[place[i]] = weight[i] * 2.0L;
    for (int i = 0; i < 100; i++)
        from[i] = to[i] + 1;
#pragma endscop
}

static long last(unsigned n, int m, double *a)
{
    long i;
#pragma scop
    for (i = 0; i < n && i < m; i++)
        a[i] = 2 * a[i] + 1;
#pragma endscop
    return i;
}

int main(void)
{
    double sum = 0;
    for (int i = 0; i < N; i++) {
        b[i] = i;
        for (int j = 0; j < M; j++)
            c[i][j] = (i * 7 + j * 3) % 11 - 9;
    }
    perhaps_written_again(N, M);
    for (int i = 0; i < N; i++)
        sum += (i + 1) * d[i];
    printf("%a\n", sum);
    for (int i = 0; i < 100; i++)
        from[i] = i;
    for (int i = 0; i < 10; i++)
        weight[i] = 1000 + i;
    scattered_by_the_host();
    for (int i = 0; i < 100; i++)
        sum += (i + 1) * from[i] + (i + 3) * to[i];
    printf("%a\n", sum);
    double *a = calloc(1000, sizeof *a);
    printf("%ld\n", last(100, -5, a));
    printf("%ld\n", last(3000000000u, 100, a));
    printf("%ld\n", last(100, 50, a));
    free(a);
    return 0;
}
