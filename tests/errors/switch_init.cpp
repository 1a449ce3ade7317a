double sum(int n, const double (&a)[100], int mode)
{
    double s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += a[i];
#pragma endscop
    switch (double half = s / 2; mode) {
    case 1: return half;
    }
    for (double part : a)
        mode += part > 0;
    return mode;
}
