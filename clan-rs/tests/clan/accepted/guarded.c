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

struct limits {
    int least;
};

/* The second pointer of a condition is followed for some values of the first operand only. */
void asked(int n, double a[n], const struct limits *limits, int use)
{
#pragma scop
    if (use && limits->least > 3)
        for (int i = 0; i < n; i++)
            a[i] = 1;
#pragma endscop
}

/* And so the first element need not exist. */
void first(int n, const int chosen[n], double *a)
{
#pragma scop
    if (n > 3 && a[0] > 0)
        for (int i = 0; i < n; i++)
            if (chosen[i])
                a[0] += 1;
#pragma endscop
}

struct sizes {
    int n;
};

/* Whatever the value of a parameter is for, it is read when that is done: in a body, in a subscript. */
void in_body(int on, int off, struct sizes *s, double *a, double *b)
{
#pragma scop
    if (on)
        for (int i = 0; i < s->n; i++)
            a[i] = 0;
    if (off)
        b[0] = s->n;
#pragma endscop
}

void in_subscript(int on, int off, struct sizes *s, double *a, double *b)
{
#pragma scop
    if (on)
        for (int i = 0; i < s->n; i++)
            a[i] = 0;
    if (off)
        b[s->n] = 1;
#pragma endscop
}

/* And for nothing else. */
void apart(int on, int off, struct sizes *s, const struct sizes *t, double *a, double *b)
{
#pragma scop
    if (on)
        for (int i = 0; i < s->n; i++)
            a[i] = 0;
    if (off)
        for (int i = 0; i < t->n; i++)
            b[i] = t->n;
#pragma endscop
}

/* One branch is always taken, and what the other would read is not read. */
void always(int n, double a[n], const double b[5], const double c[5])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i >= 0 ? b[0] : c[i];
#pragma endscop
}

/* Constants that have a name, and names for what the iterators say, are known as they are. */
void named(int m, double a[100], const double b[200])
{
    const int three = 3;
#pragma scop
    for (int i = 0; i < 100; i++) {
        a[i] = i > three + m ? b[i + 100] : 0;
        int next = i + 1;
        int after = next + three;
        a[i] += after < 100 && b[after] > m;
    }
#pragma endscop
}
