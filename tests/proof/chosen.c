/* What each thread keeps in a register is written under a condition. */
void chosen(int n, double a[n][n], double most[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (a[i][j] > most[i])
                most[i] = a[i][j];
#pragma endscop
}
