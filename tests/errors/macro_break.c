#define STOP_IF(c) if (c) break

void until(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        STOP_IF(a[i] < 0.0);
        a[i] = 1.0;
    }
#pragma endscop
}
