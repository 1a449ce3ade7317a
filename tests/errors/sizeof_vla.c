void widths(int n, unsigned long *a)
{
#pragma scop
    for (int i = 1; i < n; i++) {
        double row[i];
        row[0] = i;
        a[i] = sizeof row + (unsigned long)row[0];
    }
#pragma endscop
}
