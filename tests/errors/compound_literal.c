void weights(double *w)
{
#pragma scop
    for (int i = 0; i < 3; i++)
        w[i] = (double[]){0.25, 0.5, 0.25}[i];
#pragma endscop
}
