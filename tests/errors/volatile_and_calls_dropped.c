int next(void);
void f(int n, volatile int *port, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int seen = port[0];
        double unused = next();
        a[i] = (port[1], next(), 1.0);
    }
#pragma endscop
}
