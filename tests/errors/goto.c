void scale(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (i == 3)
            goto done;
        a[i] *= 2.0;
    }
done:;
#pragma endscop
}
