/* Twelve loops, each with an iterator of its own that nobody sees behind it. */

void deep(float a[4][4][4][4][4][4][4][4][4][4][4][4])
{
#pragma scop
    for (int i0 = 1; i0 < 4; i0++)
    for (int i1 = 1; i1 < 4; i1++)
    for (int i2 = 1; i2 < 4; i2++)
    for (int i3 = 1; i3 < 4; i3++)
    for (int i4 = 1; i4 < 4; i4++)
    for (int i5 = 1; i5 < 4; i5++)
    for (int i6 = 1; i6 < 4; i6++)
    for (int i7 = 1; i7 < 4; i7++)
    for (int i8 = 1; i8 < 4; i8++)
    for (int i9 = 1; i9 < 4; i9++)
    for (int i10 = 1; i10 < 4; i10++)
    for (int i11 = 1; i11 < 4; i11++)
        a[i0][i1][i2][i3][i4][i5][i6][i7][i8][i9][i10][i11] = a[i0 - 1][i1 - 1][i2 - 1][i3 - 1][i4 - 1][i5 - 1][i6 - 1][i7 - 1][i8 - 1][i9 - 1][i10 - 1][i11 - 1] + 1.0f;
#pragma endscop
}
