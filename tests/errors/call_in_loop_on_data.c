void emit(int value);

void walk(int n, const int *restrict count, double *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < count[i]; j++)
            emit(j);
        a[i] = 0.0;
    }
#pragma endscop
}
