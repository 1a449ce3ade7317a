/* Elements that data chooses. */

enum { BINS = 16 };

void indirect(int n, int index[n], double x[n], double a[n][n], double *restrict p, double (*q)[8], float f)
{
    int bins[BINS];
#pragma scop
    for (int i = 0; i < BINS; i++)
        bins[i] = 0;
    for (int i = 0; i < n; i++) {
        bins[index[i] % BINS]++;
        a[i][index[i]] = x[index[index[i]]];
        a[index[i]][n - 1 - i] += x[i * i % 8];
    }
    for (int i = 0; i < 8; i++) {
        int chosen = index[i];
        q[i][chosen & 7] = *(x + chosen - i);
        q[i][(int)f] = p[i];
    }
    for (unsigned i = 0; i < 8; i++)
        x[(i - 3) % 8] = bins[i ^ 1];
    for (int i = 0; i < n; i++) {
        double local[3];
        for (int j = 0; j < 3; j++)
            local[j] = j;
        x[i] = local[index[i] % 3];
    }
#pragma endscop
    x[0] += bins[0];
}
