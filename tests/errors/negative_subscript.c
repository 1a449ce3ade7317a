void shift(void)
{
    extern double ring[16];
#pragma scop
    for (int i = 0; i < 16; i++)
        ring[-1 - i] = 0.0;
#pragma endscop
}
