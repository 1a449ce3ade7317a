void mixed(int steps, int n, double a[n], long double s[1])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            a[i] += 1.0;
        s[0] = s[0] + a[0];
    }
#pragma endscop
}
