/* options: --scheduler-options=--tile-sizes 8,4,1 */

/* In each step a thread has an element of its own of the temporary that does not outlive the step. */
void step_by_step(int n, double a[restrict n][n], double b[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double t = b[i][j];
            for (int k = 0; k < n; k++) {
                double u = a[i][k] * t;
                for (int l = 0; l < 3; l++)
                    u = u * 0.5 + a[l][j];
                t = t * 0.5 + u;
            }
            b[i][j] = t;
        }
#pragma endscop
}
