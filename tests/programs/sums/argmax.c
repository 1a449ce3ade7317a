/* The first place of the largest value, for changes of its document. */
void argmax(int n, const float x[n], float most[1], int at[1])
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (x[i] > most[0]) {
            most[0] = x[i];
            at[0] = i;
        }
#pragma endscop
}
