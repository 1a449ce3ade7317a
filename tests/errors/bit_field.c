struct pixel {
    unsigned red : 5;
    unsigned green : 6;
    unsigned blue : 5;
};

void darken(int n, struct pixel *row)
{
#pragma scop
    for (int i = 0; i < n; i++)
        row[i].green = row[i].green / 2;
#pragma endscop
}
