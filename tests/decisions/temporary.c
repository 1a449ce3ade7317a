/* A variable replaces what a temporary holds in each iteration along k, unless it is read in the next one. */
void damped(int n, float a[n][n], float b[n][n], float c[n][n], float d[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                float t = a[i][k] * c[i][j];
                if (i + j > k)
                    d[i][j] += t;
                c[i][j] = c[i][j] * 0.5f + t * b[k][j];
            }
#pragma endscop
}

/* No statement runs in all iterations along k: loops for some of them might not share the variable. */
void in_two_halves(int n, float a[n][n], float c[n][n], float d[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 2 * n; k++) {
                float t;
                if (k < n)
                    t = a[i][k] * c[i][j];
                if (k >= n)
                    t = a[j][k - n] - c[i][j];
                if (k < n)
                    d[i][j] += t;
                if (k < n)
                    c[i][j] = c[i][j] * 0.5f + t;
                if (k >= n)
                    c[i][j] = c[i][j] * 0.25f - t;
            }
#pragma endscop
}

void in_the_next_iteration(int n, float a[n][n], float c[n][n], float d[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float last[2];
            last[0] = a[i][j];
            for (int k = 0; k < n; k++) {
                last[1] = a[i][k] * c[i][j] + last[0];
                if (i + j > k)
                    d[i][j] += last[1];
                c[i][j] = c[i][j] * 0.5f + last[0];
                last[0] = last[1];
            }
        }
#pragma endscop
}

void if_data_allow(int n, double a[n], double b[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (b[0] > 0) {
            double t[2];
            for (int q = 0; q < 2; q++)
                t[q] = q * 0.5;
            a[i] = t[1];
        }
    }
#pragma endscop
}
