void use(int, double);

void f(int n, const int *a)
{
    register int i, sum = 0;
    register double last = 0, half;
#pragma scop
    for (i = 0; i < n; i++) {
        half = a[i] * 0.5;
        sum += a[i];
        last = half;
    }
#pragma endscop
    use(sum, last);
}
