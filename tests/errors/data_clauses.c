static void add(int n, double *u, double c)
{
#pragma scop
    for (int i = 0; i < n; i++)
#pragma c2cuda data copy(u[0:n])
        u[i] += c;
#pragma endscop
}

int main(int argc, char **argv)
{
    static double a[100], m[10][10], *rows[10];
    double *p = a;
    int n = argc;
#pragma c2cuda data present(p[0:n])
    add(n, a, 1);
#pragma c2cuda data copy(p[0:n++])
    add(n, a, 1);
#pragma c2cuda data copy(rows[0:10][0:n])
    add(n, a, 1);
#pragma c2cuda data copy(p[3])
    add(n, a, 1);
#pragma c2cuda data copy(a, m
    add(n, a, 1);
#pragma c2cuda data a
    add(n, a, 1);
    return 0;
}
