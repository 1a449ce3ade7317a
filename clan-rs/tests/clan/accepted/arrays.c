/* Arrays of every make, and how their lengths are known. */
#include <stdlib.h>
#define N 64

static double global[N][2 * N];
extern float open_ended[];
typedef double row_t[N];
enum { ROWS = 5 };

void arrays(int n, int m, double vla[restrict n][m + 1], double (*pointer)[2][m], const row_t *rows, double flat[],
            double partly[static 4][N])
{
    static int counts[ROWS][3];
    double local[n][ROWS];
    double scalar = 0;
    double(*heap)[n] = malloc(sizeof(double) * n * n);
#pragma scop
    for (int i = 0; i < n; i++) {
        global[i][2 * i] = vla[i][0];
        open_ended[i] = pointer[i][1][i];
        flat[i] = rows[i][3];
        partly[0][i] = local[i][2];
        counts[1][2] += i;
        heap[i][i] = scalar;
        scalar = scalar + (*pointer)[1][2];
        *(flat + 2 * i - 1) = *vla[i] + *(*(vla + i) + 1);
    }
#pragma endscop
    free(heap);
}

void changed(int n, int m, double a[n][m], double b[n][m * m])
{
    n = n / 2;
#pragma scop
    for (int i = 0; i < 10; i++)
        a[i][0] = b[i][1];
#pragma endscop
    m++;
}

void shadowed(int n, double a[n][n])
{
    {
        int n = 5;
#pragma scop
        for (int i = 0; i < n; i++)
            a[i][0] = 0;
#pragma endscop
    }
}

/* That m is greater than 5 is assumed not to be. */
void never(int n, int m, double *restrict a)
{
#pragma scop
    double few[5];
    for (int i = 0; i < n; i++)
        a[i] = 0;
    if (m > 5)
        few[5 + m] = 1;
#pragma endscop
}
