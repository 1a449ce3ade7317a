void clear(double *begin, double *end)
{
#pragma scop
    for (double *p = begin; p != end; p++)
        *p = 0.0;
#pragma endscop
}
