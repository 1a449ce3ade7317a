void serve(double *a)
{
#pragma scop
    for (;;)
        a[0] += 1.0;
#pragma endscop
}
