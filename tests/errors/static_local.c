void count(int n, int *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        static int calls;
        calls++;
        a[i] = calls;
    }
#pragma endscop
}
