void clear(char *text, int *n)
{
#pragma scop
    for (int i = 0; i < n[0]; i++)
        text[i] = 0;
#pragma endscop
}
