double factor = 2;
double scaled(double x, double by = factor, int power = 1) { return x * by * power; }

struct shape {
    double offset;
    double moved(double x) const { return x + offset; }
    static double turned(double x) { return -x; }
};

double kept(const double &x)
{
    static const double *last;
    last = &x;
    return *last;
}

void all(int n, double *a, shape s)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = scaled(a[i]);
        a[i] = scaled(a[i], 2) + shape::turned(a[i]);
        a[i] = s.moved(a[i]);
        a[i] = s.turned(a[i]);
        a[i] = kept(a[i]);
        a[i] = double();
        a[i] = (a[i] = 2) ?: 1;
    }
#pragma endscop
}
