/* What is not always evaluated does not always access. */
void guarded(int n, const double a[11], double b[10])
{
#pragma scop
    for (int i = 0; i < 10; i++) {
        b[i] = i > 0 ? a[i - 1] : a[9];
        b[i] = a[i] > 0 ? a[i + 1] : 0;
        b[i] = i < 9 && a[i + 1] > 0;
        b[i] = n > 5 || i == 0 || a[i - 1];
    }
#pragma endscop
}
