void poll(int n, volatile unsigned *port, unsigned *seen)
{
#pragma scop
    for (int i = 0; i < n; i++)
        seen[i] = port[0];
#pragma endscop
}
