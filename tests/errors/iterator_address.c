void advance(int *position);

void parse(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = 0.0;
        advance(&i);
    }
#pragma endscop
}
