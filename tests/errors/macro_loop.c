#define FOR_EACH(i, n) for (int i = 0; i < (n); i *= 2)

void zero(int n, double *a)
{
#pragma scop
    FOR_EACH(i, n)
        a[i] = 0.0;
#pragma endscop
}
