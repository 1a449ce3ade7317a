/* What is written under a condition on data, and read by code behind the region, is numbered all the same. */
void last_positive(int c[400][400], double a[400][400])
{
#pragma scop
    for (int i = 0; i < 400; i++)
        for (int j = 0; j < 400; j++)
            if (c[i][j] > 0)
                a[i][i] = j;
#pragma endscop
}
