struct pair {
    double first, second;
};

void f(int n, pair p, double *a)
{
    auto [first, second] = p;
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = first * second;
#pragma endscop
}
