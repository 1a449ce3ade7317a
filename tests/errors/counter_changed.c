void halve(int n, int *restrict count, const int *restrict a)
{
#pragma scop
    for (int i = n; i-- > 0;) {
        count[0] += a[i];
        i = i - 1;
    }
#pragma endscop
}
