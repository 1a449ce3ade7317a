void scale(int n, _Float16 *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] *= 2;
#pragma endscop
}
