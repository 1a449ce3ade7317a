static int used = 4, a[8];

// The caller may give `used`, or `a[3]`.
void grow(const int &have)
{
#pragma scop
    for (int i = 0; i < have; i++)
        a[i] += 1;
    used = used + 3;
    for (int i = 0; i < have; i++)
        a[i] += 10;
#pragma endscop
}
