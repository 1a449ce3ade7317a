/* The dependences within an iteration of k have too many pieces for a split into levels. */
void many_pieces(int n, float a[n][n], float t[restrict n])
{
#pragma scop
    for (int k = 0; k < n; k++) {
        a[k][n - 1 - k] -= 1;
        for (int i = 0; i < n; i++)
            for (int j = k; j < n; j++) {
                a[k][j] = t[i] - a[k][i];
                t[i] = 4;
            }
    }
#pragma endscop
}
