void f(int n, int *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        switch (a[i]) {
        case 0 ... 9:
            a[i] = 1;
        }
#pragma endscop
}
