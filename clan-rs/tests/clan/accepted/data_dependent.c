/* Conditions and bounds that depend on data. */

void branches(int n, int x[n], double y[n], double b[n][n], double limit)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (x[i] > 0)
            y[i] = limit;
        else if (x[i] < -3 && i > 2) {
            double t = y[i];
            y[i] = t * t;
        }
    }
    /* loops in the branches */
    for (int i = 0; i < n; i++) {
        if (x[i] % 2) {
            double sum = 0;
            for (int j = 0; j <= i; j++)
                if (i != 7)
                    sum += b[i][j];
            y[i] = sum;
        } else {
            if (y[i] != 0)
                for (int j = 0; j < n; j++)
                    b[j][i] = -1;
            else if (limit)
                for (int j = 0; j < n; j++)
                    b[j][i] = 1;
        }
    }
#pragma endscop
}

void loops(int n, int first[n + 1], double value[n], double y[n])
{
    int k, last;
#pragma scop
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (k = first[i]; k < first[i + 1]; k++)
            sum += value[k];
        y[i] = sum;
    }
    for (int i = 0; i < n; i++) {
        int steps = 0;
        unsigned z = i + 1;
        while (z != 1 && steps < 1000) {
            z = z % 2 ? 3 * z + 1 : z / 2;
            steps++;
        }
        y[i] += steps;
        do
            y[i] /= 2;
        while (y[i] > 1);
    }
    for (int i = 0; i < n; i++) {
        int m = i / 2;
        for (int j = 1, d = m; j < n && d; j *= 2, d--)
            y[i] += value[j];
        m = i;
        for (int j = 0; j < m; j++)
            if (j == i - 1) {
                double half = value[j] / 2;
                y[j] += half;
            }
        last = m;
    }
#pragma endscop
    value[0] = last;
}

/* one thread: nothing is around the loop */
void alone(double a[64])
{
#pragma scop
    while (a[0] > 1)
        for (int i = 0; i < 64; i++)
            a[i] /= 2;
#pragma endscop
}
