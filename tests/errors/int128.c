void wide(int n, __int128 *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] *= 3;
#pragma endscop
}
