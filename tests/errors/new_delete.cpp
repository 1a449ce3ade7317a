void scratch(int n, double *out)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double *t = new double[2];
        t[0] = i;
        out[i] = t[0];
        delete[] t;
    }
#pragma endscop
}
