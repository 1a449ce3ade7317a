void sample(double *table)
{
#pragma scop
    for (float x = 0.0f; x < 1.0f; x += 0.125f)
        table[(int)(x * 8)] = x * x;
#pragma endscop
}
