void idle(int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        ;
#pragma endscop
}
