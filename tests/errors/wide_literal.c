void hash(int n, unsigned long a[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = (unsigned long)i * 11400714819323198485 >> 58;
#pragma endscop
}
