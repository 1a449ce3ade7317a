void copy(char *restrict to, const char *restrict from)
{
    int i = 0;
#pragma scop
    while ((to[i] = from[i]) != 0)
        i++;
#pragma endscop
}
