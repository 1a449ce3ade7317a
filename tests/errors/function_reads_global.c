static double gain = 1.0;

static double amplify(double x) { return gain * x; }

void louder(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = amplify(a[i]);
#pragma endscop
}
