void classify(int n, const int *restrict kind, double *restrict weight)
{
#pragma scop
    for (int i = 0; i < n; i++)
        switch (kind[i]) {
        case 0:
            weight[i] = 1.0;
            break;
        default:
            weight[i] = 0.5;
        }
#pragma endscop
}
