union word {
    float f;
    unsigned u;
};

void flip(int n, union word *words)
{
#pragma scop
    for (int i = 0; i < n; i++)
        words[i].u = words[i].u ^ 0x80000000u;
#pragma endscop
}
