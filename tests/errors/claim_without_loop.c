void fill(int n, double a[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
#pragma c2cuda independent
        a[i] = 1;
    }
#pragma endscop
}
