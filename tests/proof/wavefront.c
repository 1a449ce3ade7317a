/* Each tile writes its part of the array in shared memory, step by step. */
void wavefront(double a[80])
{
#pragma scop
    for (int t = 0; t < 40; t++)
        for (int i = 1; i < 79; i++)
            a[i] = a[i - 1] + a[i] + a[i + 1];
#pragma endscop
}
