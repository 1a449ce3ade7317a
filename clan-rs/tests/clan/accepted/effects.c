/* Assignments inside expressions. */

int effects(int n, double a[n], double b[n], char c[n])
{
    int count = 0, spare;
#pragma scop
    for (int i = 0; i < n; i++) {
        int k = i;
        a[i] = k++;
        b[i] = --k * 2, c[i] += 3, (void)0;
        a[i] += (spare = k, spare + 1);
        c[i] = a[i] = b[i] *= 2;
        if ((k = c[i]) > 3)
            count++;
        b[i] = k ? a[i] : (k, 2);
    }
#pragma endscop
    return count;
}
