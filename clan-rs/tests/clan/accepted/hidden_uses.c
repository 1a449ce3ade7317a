/* What only clauses of pragmas and types read is not dead. */
int use(int);
int hidden(int n)
{
    int threads, chunk, gone, length;
    _Static_assert(sizeof(int) == 4, "its message is an expression without a type");
#pragma scop
    threads = n + 1;
    chunk = n + 2;
    gone = n + 3;
    length = n + 4;
    for (int i = 0; i < n; i++)
        gone = i;
#pragma endscop
#pragma omp parallel for num_threads(threads) \
    schedule(static, chunk)
    for (int i = 0; i < 5; i++)
        use(i);
    return (int)sizeof(__typeof__(char[length]));
}

/* An address need not be taken of a variable by its name. */
double by_addresses(void)
{
    double third[9], fourth[9];
    double *p = &*(third + 2), *q = &(fourth + 1)[2];
#pragma scop
    for (int i = 0; i < 9; i++) {
        third[i] = i;
        fourth[i] = 2 * i;
    }
#pragma endscop
    return *p + *q;
}
