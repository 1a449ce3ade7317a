static int fibonacci(int k)
{
    return k < 2 ? k : fibonacci(k - 1) + fibonacci(k - 2);
}

void table(int n, int *t)
{
#pragma scop
    for (int i = 0; i < n; i++)
        t[i] = fibonacci(i);
#pragma endscop
}
