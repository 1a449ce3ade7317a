static double a[100];

#pragma c2cuda data copy(a)

static void add(int n, double *u, double c)
{
#pragma c2cuda data
#pragma scop
    for (int i = 0; i < n; i++)
        u[i] += c;
#pragma endscop
}

static void twice(int n)
{
    for (int t = 0; t < 2; t++)
#pragma c2cuda data copy(a)
        add(n, a, t);
#pragma c2cuda data copy(a)
}

int main(int argc, char **argv)
{
    double *p = a;
    int n = argc;
#pragma c2cuda data copy(p)
    add(n, a, 1);
#pragma c2cuda data copy(q[0:n])
    add(n, a, 1);
#pragma c2cuda data copy(p[0:size])
    add(n, a, 1);
#pragma c2cuda data copy(n)
    add(n, a, 1);
    double *q = p;
    twice(n);
    return q[0] > 0;
}
