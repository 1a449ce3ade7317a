void fill(double *a, int n)
{
    auto set = [&](double value) {
#pragma scop
        for (int i = 0; i < n; i++)
            a[i] = value;
#pragma endscop
    };
    set(1);
}
