#define SEED(x) ((x) + __LINE__)

enum { OFFSET = SEED(
    0) };

void fill(int n, int a[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = SEED(i
        ) + OFFSET;
#pragma endscop
}
