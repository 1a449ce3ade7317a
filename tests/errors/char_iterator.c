void histogram(int *count)
{
#pragma scop
    for (char c = 0; c < 200; c++)
        count[c] = 0;
#pragma endscop
}
