void apply(int mode, int n, double *a)
{
    switch (mode) {
#pragma scop
    case 1:
        for (int i = 0; i < n; i++)
            a[i] = 0.0;
        break;
#pragma endscop
    }
}
