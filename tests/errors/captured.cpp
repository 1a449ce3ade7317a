int f(int n, int *a)
{
    auto count = [&n] { return n++; };
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
    return count();
}
