void f(int *a, int *b)
{
    int i = 1;
#pragma scop
    a[i++] = i;
    a[0] = b[0] << (b[0] = 2);
#pragma endscop
}
