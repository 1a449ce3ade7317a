double a[64];

void zero()
{
#pragma scop
    for (double &x : a)
        x = 0.0;
#pragma endscop
}
