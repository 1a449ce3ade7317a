int find(int n, const double *a, double *copy)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] == 0.0)
            return i;
        copy[i] = a[i];
    }
#pragma endscop
    return n;
}
